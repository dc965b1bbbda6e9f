import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// The port for operators: `/metrics`, `/healthz`, `/readyz`. Not on the data path, and not for the world.
struct AdminServer {
    /// - Parameters:
    ///   - pages: the answers that both ports give.
    ///   - onListening: told the address when connections are taken.
    static func make(
        _ configuration: GatewayConfiguration,
        metrics: GatewayMetrics,
        pages: LocalPages,
        group: any EventLoopGroup,
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) -> Void
    ) -> any Service {
        let router = Hummingbird.Router()
        router.get("metrics") { _, _ in Response(.text(try await metrics.exposition())) }
        router.get("healthz") { _, _ in Response(pages.answer(.alive, isMOUP: false)) }
        router.get("readyz") { _, _ in Response(pages.answer(.ready, isMOUP: false)) }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.adminHost, port: configuration.adminPort),
                serverName: nil
            ),
            onServerRunning: { channel in
                if let address = channel.localAddress { onListening(address) }
            },
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }
}

extension Response {
    fileprivate init(_ answer: LocalAnswer) {
        self.init(
            status: .init(code: answer.status, reasonPhrase: answer.reason),
            headers: answer.contentType.map { [.contentType: $0] } ?? [:],
            body: ResponseBody(byteBuffer: answer.body)
        )
    }
}
