import ServiceHost

/// The gateway: the one address that all five apps speak to.
///
/// It owns no data. A request passes, in this order: strict reading (`HTTP/`), the address's rate limit (`Protection/`),
/// its clean path, its app and route (`Routing/`), its access token (`Authentication/`), which is renewed first where the
/// phone sends what that takes (`Refresh/`); then it goes to a service over a
/// kept connection (`Proxy/`, `Upstreams/`), or becomes a tunnel for a WebSocket (`WebSocket/`). `Proxy/ClientConnection`
/// is where all of it meets; `Routing/Apps` says which call goes where.
///
/// One event loop serves a request from its first byte to its last. What event loops share is in `GatewayCore`, what each
/// has for itself in `Worker`.
///
/// Settings: see `GatewayConfiguration`. Ports: `PORT` (8080) for phones; `ADMIN_PORT` (8079, loopback) for operators, with
/// `/metrics`, `/healthz` and `/readyz`. It stops on SIGTERM after every request in flight was answered.
@main
struct GatewayService {
    static func main() async {
        await ServiceHost.run(
            "gateway",
            read: { GatewayConfiguration(&$0) },
            logLevel: \.logLevel,
            build: { try await build($0, logger: $1) }
        )
    }
}
