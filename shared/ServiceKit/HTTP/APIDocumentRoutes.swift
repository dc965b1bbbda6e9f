import Hummingbird
import NIOCore

/// `GET /internal/openapi.json`: the service's API document. The gateway merges the documents of all services.
struct APIDocumentRoutes {
    let json: [UInt8]

    func add(to group: RouterGroup<AppRequestContext>) {
        let body = ByteBuffer(bytes: json)
        group.get("internal/openapi.json") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: body)
            )
        }
    }
}
