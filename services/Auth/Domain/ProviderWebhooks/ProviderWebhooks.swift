import Contracts
import Logging
import NIOPosix
import Postgres
import ServiceLifecycle

/// Receives provider webhooks: stores them on disk, so that the response is immediate, and handles them in the
/// background when the database is available. Each one is handled once, however often it is delivered.
struct ProviderWebhooks: Service {
    let database: PostgresClient
    var spool: WebhookSpool
    let reader: WebhookReader
    let effect: WebhookEffect
    let logger: Logger

    private static let pause = Duration.milliseconds(500)

    /// Stores a webhook.
    ///
    /// - Throws: `WebhookSpool.Unavailable`.
    func receive(_ notice: ReceivedWebhook) async throws {
        try await NIOThreadPool.singleton.runIfActive { try spool.keep(notice) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await drain()
                } catch {
                    logger.warning("provider webhooks: handling failed, will retry", error: error)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Handles the stored webhooks until the first failure, which most likely affects all of them. Unreadable ones are
    /// discarded. The order is random, so that one that always fails does not block the others.
    func drain() async throws {
        for (name, received) in try await NIOThreadPool.singleton.runIfActive({ try spool.waiting() }).shuffled() {
            if let received, let notice = try await reader.read(received) {
                try await database.transaction { try await effect.apply(notice, in: $0) }
            } else {
                logger.notice(
                    "provider webhooks: discarded an invalid webhook",
                    metadata: ["from": "\(received?.provider.rawValue ?? "-")"]
                )
            }
            spool.remove(name)
        }
    }
}
