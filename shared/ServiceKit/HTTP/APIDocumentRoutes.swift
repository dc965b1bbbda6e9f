import Contracts
import Hummingbird
import NIOCore

/// `GET /internal/openapi.json`: the service's API document. The gateway merges the documents of all services.
struct APIDocumentRoutes {
    let json: [UInt8]

    func add(to router: ServiceRouter) {
        let body = ByteBuffer(bytes: json)
        router.on(.get, "internal/openapi.json", from: .gateway) { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: body)
            )
        }
    }
}
