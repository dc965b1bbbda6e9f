import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceDatabase

/// Erases a withdrawn account (MOUP contract 4, account deletion). Personal data is deleted; data that others need is
/// kept without the name: workers keep their payslips when the owner withdraws, owners keep the worker list when a
/// worker does. The operation is idempotent.
struct Withdrawal: Sendable {
    let parting: Offboarding
    let outbox: Outbox
    let now: @Sendable () -> Date
    private let people = PersonStore()
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    func withdraw(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        let now = now()
        try await people.withdraw(account, at: now, in: transaction)
        try await IdempotencyKeys.deleteAll(of: account, in: transaction)
        try await places.erasePersonal(of: account, in: transaction)
        for workplace in try await places.abandon(createdBy: account, at: now, in: transaction) {
            try await parting.turnAway(applicantsAt: workplace, in: transaction)
        }
        for worker in try await workers.lockAll(of: account, in: transaction) {
            guard let workplace = try await places.workplace(worker.workplace, in: transaction) else { continue }
            try await parting.leaveApp(worker, at: workplace, in: transaction)
        }
        try outbox.publish(WorkforceEvents.AccountErased(account: account), in: transaction)
    }
}
