import ServiceKit

/// The gateway: the single public address of all five apps.
///
/// It stores no data. A request passes, in this order: strict parsing (`HTTP/`), the rate limit of its address
/// (`Protection/`), normalization of its path, selection of app and route (`Routing/`), verification of its access
/// token (`Authentication/`), which is first renewed if the client also sends a refresh token (`Refresh/`). It is then
/// forwarded to a service over a pooled connection (`Proxy/`, `Upstreams/`) or becomes a WebSocket tunnel
/// (`WebSocket/`). `Proxy/ClientConnection` connects these parts; the operations of the apps are in `shared/Apps`.
///
/// One event loop serves a request from its first byte to its last. The state shared by event loops is in
/// `GatewayCore`, the state of one event loop in `EventLoopContext`.
///
/// Settings: see `GatewayConfiguration`. Ports: `PORT` (8080) for clients; `ADMIN_PORT` (8079, loopback) for operators,
/// with `/console`, `/metrics`, `/healthz` and `/readyz`. On SIGTERM the gateway serves for `SHUTDOWN_DELAY`, and then stops after
/// every request in flight has been answered.
@main
struct GatewayService {
    static func main() async {
        await ServiceHost.run(
            "gateway",
            "the one address that all apps call",
            read: { GatewayConfiguration(&$0) },
            logLevel: \.logLevel,
            collector: \.collector,
            console: \.console,
            mayEnd: true,
            shutdown: \.shutdown,
            build: { try await build($0, logger: $1) }
        )
    }
}
