import AppWire
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceHost

/// Answers a POST that comes again under the same `Idempotency-Key` as it was answered before, byte for byte.
struct RepeatableRequestMiddleware<Context: RequestContext>: RouterMiddleware {
    let requests: RepeatableRequests
    /// Whose keys these are; 0 for what our own processes ask.
    let account: @Sendable (Context) -> Int64

    func handle(
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
        let repeatable = RepeatableRequest(
            account: account(context),
            key: key,
            method: request.method.rawValue,
            path: request.uri.path,
            body: body
        )
        if let answer = try await requests.begin(repeatable) { return Response(answer) }
        do {
            let response = try await next(request, context)
            let answer = try await RecordedAnswer(response)
            try await requests.finish(repeatable, answer)
            return Response(answer)
        } catch {
            await requests.giveUp(repeatable)
            throw error
        }
    }
}

extension RecordedAnswer {
    fileprivate init(_ response: Response) async throws {
        let collector = BodyCollector()
        try await response.body.write(collector)
        self.init(
            status: Int(response.status.code),
            contentType: response.headers[.contentType],
            body: collector.buffer
        )
    }
}

extension Response {
    fileprivate init(_ answer: RecordedAnswer) {
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        self.init(
            status: HTTPResponse.Status(code: answer.status),
            headers: headers,
            body: ResponseBody(byteBuffer: answer.body)
        )
    }
}
