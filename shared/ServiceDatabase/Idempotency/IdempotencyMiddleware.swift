import Apps
package import Contracts
import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceKit

/// Returns the stored response to a repeated POST with the same `Idempotency-Key`.
package struct IdempotencyMiddleware<Context: RequestContext>: RouterMiddleware {
    private let requests: IdempotencyKeys
    /// The account that owns the key.
    private let account: @Sendable (Context) -> AccountID

    package init(requests: IdempotencyKeys, account: @escaping @Sendable (Context) -> AccountID) {
        self.requests = requests
        self.account = account
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post, let key = request.idempotencyKey else { return try await next(request, context) }
        guard key.utf8.count <= 200 else {
            throw Problem(.malformed, message: "Idempotency-Key must have at most 200 characters.")
        }
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: context.maxUploadSize)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, message: "The body is larger than \(context.maxUploadSize) bytes.")
        }
        let repeatable = IdempotentRequest(
            account: account(context),
            key: key,
            method: request.method.rawValue,
            path: request.uri.string,
            body: body
        )
        if let answer = try await requests.begin(repeatable) { return Response(answer) }
        do {
            let response = try await next(request, context)
            let answer = try await RecordedResponse(response)
            try await requests.finish(repeatable, answer)
            return Response(answer)
        } catch {
            await requests.release(repeatable)
            throw error
        }
    }
}

extension RecordedResponse {
    fileprivate init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(collector)
        self.init(
            status: Int(response.status.code),
            contentType: response.headers[.contentType],
            location: response.headers[.location],
            body: collector.buffer
        )
    }
}

extension Response {
    fileprivate init(_ answer: RecordedResponse) {
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        headers[.location] = answer.location
        self.init(
            status: HTTPResponse.Status(code: answer.status),
            headers: headers,
            body: ResponseBody(byteBuffer: answer.body)
        )
    }
}

/// Collects the body of a response in memory.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        self.buffer.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
