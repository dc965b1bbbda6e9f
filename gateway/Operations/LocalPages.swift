import Authentication
import Contracts
import NIOCore
import ServiceKit
import Synchronization

/// The responses of the gateway's own pages.
final class LocalPages: Sendable {
    private let keys: PublishedKeys
    private let documentation: Mutex<Documentation>
    private let shutdown: ShutdownNotice

    /// - Parameter documentation: Of no service, until there are documents.
    init(keys: PublishedKeys, documentation: Documentation, shutdown: ShutdownNotice) {
        self.keys = keys
        self.shutdown = shutdown
        self.documentation = Mutex(documentation)
    }

    /// Replaces the API documents and their pages.
    func set(_ documentation: Documentation) {
        self.documentation.withLock { $0 = documentation }
    }

    /// - Parameters:
    ///   - app: The app that the request's host name is assigned to.
    ///   - isCrossOrigin: Whether the request comes from a web page that may call the gateway.
    func answer(_ page: LocalPage, for app: App? = nil, isCrossOrigin: Bool = false) -> LocalResponse {
        switch page {
        case .health: return .text(app == .moup ? "OK" : "ok")
        case .alive: return .text("ok")
        case .ready:
            guard !shutdown.hasBegun else { return .unready("shutting down") }
            return keys.current.revision > 0 ? .text("ready") : .unready("published keys are not there yet")
        case .openAPI(let app): return documentation.withLock { $0.document(of: app) }
        case .documentation(let path): return documentation.withLock { $0.page(path) }
        case .preflight:
            var response = LocalResponse(status: 204, reason: "No Content")
            if isCrossOrigin { response.headers = CrossOriginPolicy.preflightLines }
            return response
        }
    }
}

extension LocalResponse {
    fileprivate static func unready(_ reason: String) -> LocalResponse {
        .text(reason, status: 503, reason: "Service Unavailable")
    }
}
