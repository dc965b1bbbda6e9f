import Contracts
import FoundationEssentials
import Postgres

/// Workplaces: created by workers for themselves, and by owners for their workers (MOUP contract 1.5, calls 12 to 16).
struct Workplaces: Sendable {
    let database: PostgresClient
    let access: Access
    let wages: Wages
    let parting: Offboarding
    let now: @Sendable () -> Date
    private let store = WorkplaceStore()
    private let workers = WorkerStore()
    private let people = PersonStore()

    /// A workplace with the caller's membership.
    struct Place: Sendable {
        var workplace: Workplace
        var worker: Worker
    }

    /// - Returns: the id of the workplace.
    /// - Throws: `WorkforceError.forbidden` for the part of another role, `.tooManyWorkplaces`, `.workplaceNameTaken`,
    ///   `.field`.
    func create(_ draft: WorkplaceDraft, own: OwnPart, by account: AccountID) async throws -> WorkplaceID {
        try await access.people.person(account, as: own.role)
        guard let name = draft.name else { throw WorkforceError.field("workplaceName은(는) 필수입니다.") }
        guard let category = draft.category else { throw WorkforceError.field("categoryName은(는) 필수입니다.") }
        let workplace = draft.applied(
            to: Workplace(
                id: .unsaved,
                creator: account,
                name: name,
                category: category,
                isShared: own.role == .owner,
                hasFiveOrMoreEmployees: false,
                isAbandoned: false
            )
        )
        return try await database.transaction(key: "account \(account)") { transaction in
            try await people.lock(account, in: transaction)
            guard try await store.count(by: account, in: transaction) < Workplace.limit else {
                throw WorkforceError.tooManyWorkplaces
            }
            var workplace = workplace
            workplace.id = try await store.insert(workplace, in: transaction)
            try await settle(account, in: own, at: workplace, in: transaction)
            return workplace.id
        }
    }

    /// Inserts the creator as the first worker.
    private func settle(
        _ account: AccountID,
        in own: OwnPart,
        at workplace: Workplace,
        in transaction: PostgresTransaction
    ) async throws {
        let (workerColor, ownerColor): (String?, String?) =
            switch own {
            case .worker(let color, _): (color, nil)
            case .owner(let color): (nil, color)
            }
        let worker = try await workers.insert(
            account,
            at: workplace.id,
            workerColor: workerColor,
            ownerColor: ownerColor,
            isAccepted: true,
            at: now(),
            in: transaction
        )
        guard let worker, case .worker(_, let wage) = own else { return }
        try await wages.begin(wage, of: worker, at: workplace, in: transaction)
    }

    /// The workplaces of a user, accepted or pending, by name.
    ///
    /// - Throws: `WorkforceError.userNotFound`.
    func list(of account: AccountID, sharedOnly: Bool) async throws -> [(workplace: Workplace, isAccepted: Bool)] {
        _ = try await access.people.person(account)
        return try await store.workplaces(of: account, sharedOnly: sharedOnly, in: database)
    }

    /// - Throws: `WorkforceError.workplaceNotFound`, `.workerNotFound` for a user who is not a member, `.forbidden` for
    ///   an unregistered one.
    func place(_ id: WorkplaceID, of account: AccountID) async throws -> Place {
        try await access.people.member(account)
        let (workplace, worker) = try await access.membership(of: account, at: id, in: database)
        return Place(workplace: workplace, worker: worker)
    }

    /// The wage of a worker.
    ///
    /// - Throws: `WorkforceError.wageNotFound`.
    func wage(of worker: Worker) async throws -> Wage {
        guard let wage = try await wages.latest(of: worker.id, in: database) else { throw WorkforceError.wageNotFound }
        return wage
    }

    /// Changes the workplace if the caller is its creator, and the caller's own part.
    ///
    /// - Throws: as `place`; `WorkforceError.forbidden` for the part of another role, and if the creator's account is
    ///   withdrawn; `.workplaceNameTaken`, `.wageNotFound`.
    func edit(_ id: WorkplaceID, to draft: WorkplaceDraft, own: OwnPart, by account: AccountID) async throws {
        try await access.people.person(account, as: own.role)
        try await database.transaction(key: "workplace \(id)") { transaction in
            var (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            try access.requireWritable(workplace)
            if workplace.creator == account { workplace = try await change(id, to: draft, in: transaction) }
            switch own {
            case .worker(let color, let wage):
                try await store.lock(worker: worker.id, in: transaction)
                try await workers.color(worker.id, workerColor: color, in: transaction)
                try await wages.change(worker.id, to: wage, at: workplace, in: transaction)
            case .owner(let color):
                try await workers.color(worker.id, ownerColor: color, in: transaction)
            }
        }
    }

    private func change(
        _ id: WorkplaceID,
        to draft: WorkplaceDraft,
        in transaction: PostgresTransaction
    ) async throws -> Workplace {
        guard let present = try await store.lock(id, in: transaction) else { throw WorkforceError.workplaceNotFound }
        try access.requireWritable(present)
        let changed = draft.applied(to: present)
        guard changed != present else { return present }
        try await store.update(changed, in: transaction)
        if changed.hasFiveOrMoreEmployees != present.hasFiveOrMoreEmployees {
            for worker in try await workers.lockAll(at: id, in: transaction) {
                try await wages.follow(changed, of: worker.id, in: transaction)
            }
        }
        return changed
    }

    /// Deletes the caller's own workplace, or leaves another creator's. The workplace is hidden at once; its memberships
    /// end at once up to `Offboarding.page`, and beyond by `closeNext`.
    ///
    /// - Throws: as `place`.
    func delete(_ id: WorkplaceID, by account: AccountID) async throws {
        try await access.people.member(account)
        try await database.transaction(key: "workplace \(id)") { transaction in
            let (workplace, worker) = try await access.membership(of: account, at: id, in: transaction)
            guard workplace.creator == account else {
                return try await parting.leave(worker, from: workplace, in: transaction)
            }
            guard try await store.lock(id, in: transaction) != nil else { throw WorkforceError.workplaceNotFound }
            let now = now()
            try await store.delete(id, at: now, in: transaction)
            try await closePage(workplace, at: now, in: transaction)
        }
    }

    /// Ends memberships of a deleted workplace, one page of them.
    ///
    /// - Returns: false when there is nothing to do, or another replica does it.
    func closeNext() async throws -> Bool {
        try await database.transaction { transaction in
            guard let (workplace, deletion) = try await store.lockClosing(in: transaction) else { return false }
            try await closePage(workplace, at: deletion, in: transaction)
            return true
        }
    }

    private func closePage(_ workplace: Workplace, at deletion: Date, in transaction: PostgresTransaction) async throws
    {
        if try await parting.closePage(workplace, at: deletion, in: transaction) {
            try await store.markClosed(workplace.id, in: transaction)
        }
    }
}
