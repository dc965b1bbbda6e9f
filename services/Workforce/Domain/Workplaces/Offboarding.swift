import Contracts
import FoundationEssentials
import Postgres
import Values

/// Ends a worker's membership at a workplace. Past shifts are kept with their pay, shifts that have not begun are
/// deleted, and a running shift ends now. A pending membership is deleted.
struct Offboarding: Sendable {
    let pay: PayrollProjection
    let alerts: Alerts
    let now: @Sendable () -> Date
    /// The number of memberships that one transaction ends.
    static let page = 100
    private let store = OffboardingStore()
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    /// A worker leaves.
    ///
    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    func leave(_ worker: Worker, from workplace: Workplace, in transaction: PostgresTransaction) async throws {
        guard try await part(worker.id, in: transaction) else { return }
        try await tellOwner(of: worker, at: workplace, sender: worker.person.account, in: transaction)
    }

    /// A worker's account is withdrawn and already anonymized. The owner's list keeps the worker and the past shifts.
    func leaveApp(_ worker: Worker, at workplace: Workplace, in transaction: PostgresTransaction) async throws {
        guard try await part(worker.id, staysListed: true, in: transaction) else { return }
        try await tellOwner(of: worker, at: workplace, sender: nil, in: transaction)
    }

    /// The owner removes a worker, or rejects a pending one.
    ///
    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    func remove(_ worker: Worker, from workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let wasAccepted = try await part(worker.id, in: transaction)
        try await alert([worker], of: wasAccepted ? .removed : .joinRejected, at: workplace, in: transaction)
    }

    /// Ends the first `page` memberships of a deleted workplace. The other ones are ended by later calls, so that a
    /// transaction is short and holds few locks, however many people work there.
    ///
    /// - Parameter deletion: when the workplace was deleted.
    /// - Returns: whether all memberships have ended.
    func closePage(_ workplace: Workplace, at deletion: Date, in transaction: PostgresTransaction) async throws -> Bool
    {
        let page = try await workers.lockAll(at: workplace.id, limit: Self.page, in: transaction)
        let accepted = page.filter(\.isAccepted)
        try await store.delete(page.filter { !$0.isAccepted }.map(\.id), in: transaction)
        try await end(accepted.map(\.id), at: deletion, in: transaction)
        try await alert(accepted, of: .workplaceDeleted, at: workplace, in: transaction)
        return page.count < Self.page
    }

    /// Rejects the pending workers of a workplace whose creator's account is withdrawn.
    func turnAway(applicantsAt workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let applicants = try await workers.lockAll(at: workplace.id, in: transaction).filter { !$0.isAccepted }
        try await store.delete(applicants.map(\.id), in: transaction)
        try await alert(applicants, of: .joinRejected, at: workplace, in: transaction)
    }

    /// - Parameter staysListed: whether the owner's list keeps the worker.
    /// - Returns: whether the worker was accepted.
    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    @discardableResult
    func part(_ worker: WorkerID, staysListed: Bool = false, in transaction: PostgresTransaction) async throws -> Bool {
        try await places.lock(worker: worker, in: transaction)
        guard try await places.worker(worker, in: transaction)?.isAccepted == true else {
            try await store.delete([worker], in: transaction)
            return false
        }
        try await end([worker], at: now(), staysListed: staysListed, in: transaction)
        return true
    }

    /// Ends accepted memberships, which the caller has locked.
    private func end(
        _ workers: [WorkerID],
        at now: Date,
        staysListed: Bool = false,
        in transaction: PostgresTransaction
    ) async throws {
        let now = SeoulTime.wholeSeconds(now)
        let deleted = try await store.deleteUnbegun(of: workers, at: now, in: transaction)
        let changed = try await deleted + store.close(of: workers, at: now, in: transaction)
        for (worker, changes) in Dictionary(grouping: changed, by: \.0) {
            try await pay.refresh(worker, around: changes.map(\.1), in: transaction)
        }
        try await store.part(workers, at: now, staysListed: staysListed, in: transaction)
    }

    private func tellOwner(
        of worker: Worker,
        at workplace: Workplace,
        sender: AccountID?,
        in transaction: PostgresTransaction
    ) async throws {
        guard !workplace.isAbandoned else { return }
        let alert = WorkforceEvents.MemberAlerted(
            account: workplace.creator,
            sender: sender,
            kind: .workerLeft,
            arguments: [worker.person.shownName, workplace.name],
            workplace: workplace.id,
            worker: worker.id
        )
        try await alerts.announce(alert, in: transaction)
    }

    /// Alerts workers about an action of the owner, sorted by account.
    private func alert(
        _ workers: [Worker],
        of kind: WorkforceEvents.AlertKind,
        at workplace: Workplace,
        in transaction: PostgresTransaction
    ) async throws {
        let alerted = workers.sorted { $0.person.account < $1.person.account }.map { worker in
            WorkforceEvents.MemberAlerted(
                account: worker.person.account,
                sender: workplace.isAbandoned ? nil : workplace.creator,
                kind: kind,
                arguments: [workplace.name],
                workplace: workplace.id,
                worker: worker.id
            )
        }
        try await alerts.announce(alerted, in: transaction)
    }
}
