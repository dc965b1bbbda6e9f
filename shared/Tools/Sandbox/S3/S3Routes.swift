import Files
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// `PUT`, `GET`, `HEAD` and `DELETE` of `/madang/{key}`, and the list of `/madang?list-type=2`.
struct S3Routes: Sendable {
    let authenticator: S3Authenticator
    let objects: S3Objects

    func add(to group: RouterGroup<SandboxContext>) {
        group.get("madang", use: list)
        group.put("madang/**", use: put)
        group.get("madang/**", use: get)
        group.head("madang/**", use: get)
        group.delete("madang/**", use: delete)
    }

    /// Lists the names with a prefix, a thousand at a time.
    private func list(_ request: Request, _ context: SandboxContext) async throws -> Response {
        _ = try await body(of: request)
        let parameters = request.uri.queryParameters
        let (prefix, after) = (parameters["prefix"] ?? "", parameters["continuation-token"] ?? "")
        let names = objects.names.filter { $0.hasPrefix(prefix) && $0 > after }
        let page = names.prefix(1000)
        let hasMore = names.count > page.count
        let token = hasMore ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
        let contents = page.map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
        let text = "<ListBucketResult><IsTruncated>\(hasMore)</IsTruncated>\(token)\(contents)</ListBucketResult>"
        let body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        return Response(status: .ok, headers: [.contentType: "application/xml"], body: body)
    }

    private func put(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let body = try await body(of: request)
        let type = request.headers[.contentType] ?? "binary/octet-stream"
        try objects.put(name(context), S3Objects.Object(bytes: body, type: type))
        return .empty(.ok)
    }

    private func get(_ request: Request, _ context: SandboxContext) async throws -> Response {
        _ = try await body(of: request)
        let object = try objects.object(name(context))
        var headers: HTTPFields = [.contentType: object.type, .acceptRanges: "bytes"]
        let size = object.bytes.readableBytes
        switch ByteRange(request.headers[.range], size: size) {
        case .whole:
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: object.bytes))
        case .unsatisfiable:
            throw S3Error(.rangeNotSatisfiable, "InvalidRange", "The requested range is not satisfiable.")
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            let part = object.bytes.getSlice(at: range.lowerBound, length: range.count) ?? ByteBuffer()
            return Response(status: .partialContent, headers: headers, body: ResponseBody(byteBuffer: part))
        }
    }

    /// Responds with 204 whether or not the object existed.
    private func delete(_ request: Request, _ context: SandboxContext) async throws -> Response {
        _ = try await body(of: request)
        objects.delete(name(context))
        return .empty(.noContent)
    }

    /// The body of an authenticated request.
    private func body(of request: Request) async throws -> ByteBuffer {
        let body = try await request.body.collect(upTo: 64 << 20)
        try authenticator.check(request, body: body)
        return body
    }

    private func name(_ context: SandboxContext) -> String {
        context.parameters.getCatchAll().joined(separator: "/")
    }
}
