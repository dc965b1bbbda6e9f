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
        try await alert(worker, of: wasAccepted ? .removed : .joinRejected, at: workplace, in: transaction)
    }

    /// Ends all memberships of a workplace that is deleted.
    func close(_ workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let everybody = try await workers.lockAll(at: workplace.id, in: transaction)
        for worker in everybody { try await part(worker.id, in: transaction) }
        let told = everybody.filter(\.isAccepted).sorted { $0.person.account < $1.person.account }
        for worker in told { try await alert(worker, of: .workplaceDeleted, at: workplace, in: transaction) }
    }

    /// Rejects the pending workers of a workplace whose creator's account is withdrawn.
    func turnAway(applicantsAt workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let applicants = try await workers.lockAll(at: workplace.id, in: transaction).filter { !$0.isAccepted }
        for worker in applicants { try await part(worker.id, in: transaction) }
        for worker in applicants.sorted(by: { $0.person.account < $1.person.account }) {
            try await alert(worker, of: .joinRejected, at: workplace, in: transaction)
        }
    }

    /// - Parameter staysListed: whether the owner's list keeps the worker.
    /// - Returns: whether the worker was accepted.
    /// - Throws: `WorkforceError.workerNotFound` for a worker who has left meanwhile.
    @discardableResult
    func part(_ worker: WorkerID, staysListed: Bool = false, in transaction: PostgresTransaction) async throws -> Bool {
        try await places.lock(worker: worker, in: transaction)
        guard try await places.worker(worker, in: transaction)?.isAccepted == true else {
            try await store.delete(worker, in: transaction)
            return false
        }
        let now = SeoulTime.wholeSeconds(now())
        let deleted = try await store.deleteUnbegun(of: worker, at: now, in: transaction)
        let closed = try await store.close(of: worker, at: now, in: transaction)
        try await pay.refresh(worker, around: deleted + closed, in: transaction)
        try await store.part(worker, at: now, staysListed: staysListed, in: transaction)
        return true
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

    /// Alerts a worker about an action of the owner.
    private func alert(
        _ worker: Worker,
        of kind: WorkforceEvents.AlertKind,
        at workplace: Workplace,
        in transaction: PostgresTransaction
    ) async throws {
        let alert = WorkforceEvents.MemberAlerted(
            account: worker.person.account,
            sender: workplace.isAbandoned ? nil : workplace.creator,
            kind: kind,
            arguments: [workplace.name],
            workplace: workplace.id,
            worker: worker.id
        )
        try await alerts.announce(alert, in: transaction)
    }
}
