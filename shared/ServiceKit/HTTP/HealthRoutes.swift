import Hummingbird
import Logging

/// `GET /healthz` (the process is alive), `GET /readyz` (every readiness check passes, and the process is not about to end) and `GET /metrics`.
struct HealthRoutes {
    let checks: [ServiceHost.Check]
    let shutdown: ShutdownNotice

    func add(to router: Router<AppRequestContext>) {
        router.get("healthz") { _, _ in Response.text("ok") }
        router.get("readyz", use: ready)
        router.get("metrics") { request, _ in
            let format = MetricsFormat(accept: request.headers[.accept])
            var response = Response.text(MetricsRegistry.shared.exposition(format))
            response.headers[.contentType] = format.contentType
            return response
        }
    }

    private func ready(_ request: Request, _ context: AppRequestContext) async -> Response {
        guard !shutdown.hasBegun else { return .text("shutting down", status: .serviceUnavailable) }
        for check in checks {
            do {
                try await check.check()
            } catch {
                Logger.current.warning("readiness: check failed", error: error, metadata: ["check": "\(check.name)"])
                return .text("\(check.name) is not ready", status: .serviceUnavailable)
            }
        }
        return .text("ready")
    }
}
