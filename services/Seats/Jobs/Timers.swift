import Logging
import Postgres
import ServiceLifecycle

/// Background jobs. Due times are database rows, so a restart loses none; replicas may run concurrently, and the locks
/// on cars, or `SKIP LOCKED`, ensure that each job is done once.
struct Timers: Service {
    let database: PostgresClient
    let seating: Seating
    let exchange: SeatExchange
    let tracker: JourneyTracker
    let alerts: AlertSender
    let logger: Logger

    private let store = TimerStore()
    private static let batch = 100
    /// Maximum interval in seconds, since something may become due earlier than expected.
    private static let longestPause = 1.0
    /// The interval while rows are due that another replica has locked, or that were deferred after a failure.
    private static let busyPause = 0.1

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await repeating("requests", next: store.nextRequestExpiry) {
                        try await exchange.expireOverdue(limit: Self.batch)
                    }
                }
                group.addTask {
                    await repeating("seats", next: store.nextLeaseEnd) {
                        try await seating.sweepOverdue(limit: Self.batch)
                    }
                }
                group.addTask {
                    await repeating("journeys", next: store.nextJourneyCheck) {
                        try await tracker.checkDue(limit: Self.batch)
                    }
                }
                group.addTask {
                    await repeating("alerts", next: store.nextAlert) {
                        try await alerts.sendDue(limit: Self.batch)
                    }
                }
            }
        }
    }

    /// - Parameters:
    ///   - next: seconds until the next due time.
    ///   - work: does the due work, and returns the number of rows.
    private func repeating(
        _ name: String,
        next: (any Querying) async throws -> Double?,
        _ work: () async throws -> Int
    ) async {
        while !Task.isCancelled {
            var pause = Self.longestPause
            do {
                while try await work() >= Self.batch {}
                if let seconds = try await next(database) {
                    pause = seconds > 0 ? min(max(seconds, 0.005), pause) : Self.busyPause
                }
            } catch {
                if !Task.isCancelled {
                    logger.warning("timers: job failed, will retry", error: error, metadata: ["job": "\(name)"])
                }
            }
            try? await Task.sleep(for: .seconds(pause))
        }
    }
}
