import CivilTime
import Contracts
import FoundationEssentials
import Postgres

/// How somebody's time at a workplace ends, whoever ends it. What was worked stays on record with what it paid; what was
/// planned is gone, and what is under way ends now. Who had only asked to be let in leaves no trace.
struct Parting: Sendable {
    let pay: PayBook
    let alerts: Alerts
    let now: @Sendable () -> Date
    private let store = PartingStore()
    private let places = WorkplaceStore()
    private let workers = WorkerStore()

    init(pay: PayBook, alerts: Alerts, now: @escaping @Sendable () -> Date) {
        self.pay = pay
        self.alerts = alerts
        self.now = now
    }

    /// Somebody leaves.
    ///
    /// - Throws: `WorkforceError.workerNotFound` for who has parted meanwhile.
    func leave(_ worker: Worker, from workplace: Workplace, in transaction: PostgresTransaction) async throws {
        guard try await part(worker.id, in: transaction) else { return }
        try await tellOwner(of: worker, at: workplace, sender: worker.person.account, in: transaction)
    }

    /// Somebody leaves the app, and is anonymous already. The owner's list keeps them, and what they have worked.
    func leaveApp(_ worker: Worker, at workplace: Workplace, in transaction: PostgresTransaction) async throws {
        guard try await part(worker.id, staysListed: true, in: transaction) else { return }
        try await tellOwner(of: worker, at: workplace, sender: nil, in: transaction)
    }

    /// The owner removes somebody, or turns down who has asked.
    ///
    /// - Throws: `WorkforceError.workerNotFound` for who has parted meanwhile.
    func remove(_ worker: Worker, from workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let wasAccepted = try await part(worker.id, in: transaction)
        try await alert(worker, of: wasAccepted ? .removed : .joinRejected, at: workplace, in: transaction)
    }

    /// The workplace goes: everybody parts.
    func close(_ workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let everybody = try await workers.lockAll(at: workplace.id, in: transaction)
        for worker in everybody { try await part(worker.id, in: transaction) }
        let told = everybody.filter(\.isAccepted).sorted { $0.person.account < $1.person.account }
        for worker in told { try await alert(worker, of: .workplaceDeleted, at: workplace, in: transaction) }
    }

    /// The workplace's creator has left the app: who had asked to be let in has nobody left to ask.
    func turnAway(applicantsAt workplace: Workplace, in transaction: PostgresTransaction) async throws {
        let applicants = try await workers.lockAll(at: workplace.id, in: transaction).filter { !$0.isAccepted }
        for worker in applicants { try await part(worker.id, in: transaction) }
        for worker in applicants.sorted(by: { $0.person.account < $1.person.account }) {
            try await alert(worker, of: .joinRejected, at: workplace, in: transaction)
        }
    }

    /// - Parameter staysListed: whether the owner's list keeps them.
    /// - Returns: whether they had been accepted.
    /// - Throws: `WorkforceError.workerNotFound` for who has parted meanwhile.
    @discardableResult
    func part(_ worker: Int64, staysListed: Bool = false, in transaction: PostgresTransaction) async throws -> Bool {
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
        sender: Int64?,
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

    /// Tells somebody what the owner has done.
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
