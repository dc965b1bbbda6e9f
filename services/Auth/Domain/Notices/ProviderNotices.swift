import Contracts
import Logging
import NIOPosix
import Postgres
import ServiceLifecycle

/// Notices of providers: kept on disk as they come, so that they are answered at once, and given effect when the database
/// can be reached. Each has its effect once, however often it comes.
struct ProviderNotices: Service {
    let database: PostgresClient
    var spool: NoticeSpool
    let reader: NoticeReader
    let effect: NoticeEffect
    let logger: Logger

    private static let pause = Duration.milliseconds(500)

    /// Keeps a notice.
    ///
    /// - Throws: `NoticeSpool.Unavailable`.
    func receive(_ notice: ReceivedNotice) async throws {
        try await NIOThreadPool.singleton.runIfActive { try spool.keep(notice) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await drain()
                } catch {
                    logger.warning("notices of providers have to wait", error: error)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Gives effect to what waits, until something fails: most likely what all of them need is away. What cannot be read is
    /// thrown away. Each time in another order, so that one that always fails does not hold up the others.
    func drain() async throws {
        for (name, received) in try await NIOThreadPool.singleton.runIfActive({ try spool.waiting() }).shuffled() {
            if let received, let notice = try await reader.read(received) {
                try await database.transaction { try await effect.apply(notice, in: $0) }
            } else {
                logger.notice(
                    "a notice was not a provider's",
                    metadata: ["from": "\(received?.provider.rawValue ?? "-")"]
                )
            }
            spool.remove(name)
        }
    }
}
