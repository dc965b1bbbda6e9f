import Authentication
import Contracts
import NIOCore
import Synchronization

/// The responses of the gateway's own pages.
final class LocalPages: Sendable {
    private let keys: PublishedKeys
    private let openAPI = Mutex(ByteBuffer(string: "{}"))

    init(keys: PublishedKeys) {
        self.keys = keys
    }

    /// Replaces the merged API document (JSON).
    func setOpenAPI(_ json: ByteBuffer) {
        openAPI.withLock { $0 = json }
    }

    /// - Parameters:
    ///   - app: The app that the request's host name is assigned to.
    ///   - isCrossOrigin: Whether the request comes from a web page that may call the gateway.
    func answer(_ page: LocalPage, for app: App? = nil, isCrossOrigin: Bool = false) -> LocalResponse {
        switch page {
        case .health: return .text(app == .moup ? "OK" : "ok")
        case .alive: return .text("ok")
        case .ready:
            return keys.current.revision > 0
                ? .text("ready") : .text("published keys are not there yet", status: 503, reason: "Service Unavailable")
        case .openAPI:
            return LocalResponse(
                status: 200,
                reason: "OK",
                contentType: "application/json",
                body: openAPI.withLock { $0 }
            )
        case .preflight:
            var response = LocalResponse(status: 204, reason: "No Content")
            if isCrossOrigin { response.headers = CrossOriginPolicy.preflightLines }
            return response
        }
    }
}
