import Hummingbird
import Logging

/// `GET /healthz` (the process is alive), `GET /readyz` (every readiness check passes) and `GET /metrics`.
struct HealthRoutes {
    let checks: [ServiceHost.Check]

    func add(to router: Router<AppRequestContext>) {
        router.get("healthz") { _, _ in Response.text("ok") }
        router.get("readyz", use: ready)
        router.get("metrics") { _, _ in Response.text(MetricsRegistry.shared.exposition()) }
    }

    private func ready(_ request: Request, _ context: AppRequestContext) async -> Response {
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
