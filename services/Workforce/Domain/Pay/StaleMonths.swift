import CivilTime
import Logging
import Payroll
import Postgres
import ServiceLifecycle

/// Reckons months anew that are not over yet and were reckoned with another book of rates than this build's: at start, and
/// once an hour, for what an older build has written meanwhile. Each worker is one transaction, so that it can stop anywhere,
/// and several may do it beside each other.
struct StaleMonths: Service {
    let database: PostgresClient
    let pay: PayBook
    let logger: Logger
    /// How many workers are looked for at once.
    let batch: Int
    private let store = PayStore()

    private static let pause: Duration = .seconds(3600)
    /// How many workers are done at the same time: what a commit waits for, others can use.
    private static let lanes = 4

    init(database: PostgresClient, pay: PayBook, batch: Int = 100, logger: Logger) {
        self.database = database
        self.pay = pay
        self.batch = batch
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await sweep()
                } catch {
                    logger.warning("months of another book of rates could not be found", error: error)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Goes through everybody once.
    func sweep() async throws {
        let (present, revision) = (pay.presentMonth, pay.book.revision)
        var last: Int64 = 0
        while !Task.isCancelled {
            let workers = try await store.stale(
                since: present,
                revision: revision,
                after: last,
                limit: batch,
                in: database
            )
            guard let end = workers.last else { return }
            await withDiscardingTaskGroup { group in
                for lane in 0..<Self.lanes {
                    group.addTask {
                        for index in stride(from: lane, to: workers.count, by: Self.lanes) where !Task.isCancelled {
                            await renew(workers[index], since: present)
                        }
                    }
                }
            }
            last = end
        }
    }

    private func renew(_ worker: Int64, since month: CivilMonth) async {
        do {
            try await database.transaction { transaction in
                let months = try await store.lockStale(
                    of: worker,
                    since: month,
                    revision: pay.book.revision,
                    in: transaction
                )
                try await pay.refresh(worker, months: months, in: transaction)
            }
        } catch {
            logger.warning("the months of a worker stay as they are", error: error, metadata: ["worker": "\(worker)"])
        }
    }
}
