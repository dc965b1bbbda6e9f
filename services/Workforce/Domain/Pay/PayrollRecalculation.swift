import Contracts
import Logging
import Payroll
import Postgres
import ServiceLifecycle
import Values

/// Background job that recalculates the current and later months that were calculated with another revision of the
/// rates. It runs at startup and every hour, for months that an older replica has written meanwhile. Each worker is one
/// transaction, so the job may be interrupted at any time and may run in several replicas.
struct PayrollRecalculation: Service {
    let database: PostgresClient
    let pay: PayrollProjection
    let logger: Logger
    /// Number of workers per query.
    let batch: Int
    private let store = PayStore()

    private static let pause: Duration = .seconds(3600)
    /// Number of concurrent transactions, so that the wait for one commit does not delay the others.
    private static let lanes = 4

    init(database: PostgresClient, pay: PayrollProjection, batch: Int = 100, logger: Logger) {
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
                    logger.warning("payroll: finding outdated months failed, will retry", error: error)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Processes all outdated workers once.
    func sweep() async throws {
        let (present, revision) = (pay.presentMonth, pay.book.revision)
        var last = WorkerID.beforeAll
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

    private func renew(_ worker: WorkerID, since month: CivilMonth) async {
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
            logger.warning("payroll: recalculating a worker failed", error: error, metadata: ["worker": "\(worker)"])
        }
    }
}
