import Contracts
import FoundationEssentials
import Outbox
import Postgres

/// What happens here when somebody leaves the app for good (MOUP contract 4, account deletion). What was theirs alone is
/// erased; what others need stays without their name: workers keep their payslips when the owner leaves, owners keep who
/// worked when a worker does. May be told any number of times.
struct Withdrawal: Sendable {
    let parting: Parting
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let people = PersonStore()
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    init(parting: Parting, outbox: Outbox, now: @escaping @Sendable () -> Date) {
        self.parting = parting
        self.outbox = outbox
        self.now = now
    }

    func withdraw(_ account: Int64, in transaction: PostgresTransaction) async throws {
        let now = now()
        try await people.withdraw(account, at: now, in: transaction)
        try await places.erasePersonal(of: account, in: transaction)
        for workplace in try await places.abandon(createdBy: account, at: now, in: transaction) {
            try await parting.turnAway(applicantsAt: workplace, in: transaction)
        }
        for worker in try await workers.lockAll(of: account, in: transaction) {
            guard let workplace = try await places.workplace(worker.workplace, in: transaction) else { continue }
            try await parting.leaveApp(worker, at: workplace, in: transaction)
        }
        try await outbox.publish(WorkforceEvents.AccountErased(account: account), in: transaction)
    }
}
