import Contracts
import FoundationEssentials
import Postgres

/// Joining of shared workplaces: the owner creates a code, the worker enters it, and the owner accepts or rejects the
/// worker (MOUP contract 4, invite codes).
struct Invitations: Sendable {
    let database: PostgresClient
    let access: Access
    let wages: Wages
    let alerts: Alerts
    let now: @Sendable () -> Date
    /// Generates codes; replaced in tests.
    var random: @Sendable () -> InviteCode = { .random() }
    private let store = InviteStore()
    private let places = WorkplaceStore()
    private let workers = WorkerStore()
    private let people = PersonStore()

    init(
        database: PostgresClient,
        access: Access,
        wages: Wages,
        alerts: Alerts,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.access = access
        self.wages = wages
        self.alerts = alerts
        self.now = now
    }

    /// Limit of invalid codes in ten minutes; beyond it, no codes are looked up.
    static let tries = 20
    static let triesPeriod = 600.0

    /// The code of a workplace.
    ///
    /// - Parameter renewing: replaces an existing code.
    /// - Returns: the code, and whether it existed.
    /// - Throws: `WorkforceError.forbidden`, `.workplaceNotFound`.
    func code(
        of id: WorkplaceID,
        renewing: Bool,
        by account: AccountID
    ) async throws -> (code: InviteCode, isOld: Bool) {
        try await database.transaction(key: "workplace \(id)") { transaction in
            _ = try await access.owned(id, by: account, in: transaction)
            guard let workplace = try await places.lock(id, in: transaction) else {
                throw WorkforceError.workplaceNotFound
            }
            try access.requireWritable(workplace)
            let now = now()
            if !renewing, let code = try await store.code(of: id, at: now, in: transaction) { return (code, true) }
            var code = random()
            let expiry = now + InviteCode.lifetime
            while try await !store.replace(by: code, of: id, until: expiry, in: transaction) { code = random() }
            return (code, false)
        }
    }

    /// The workplace of a code.
    ///
    /// - Throws: `WorkforceError.workplaceNotFound` for an unknown or expired code, `.memberAlready`, `.tooManyTries`,
    ///   `.forbidden` for a user without the role worker.
    func workplace(with code: InviteCode, for account: AccountID) async throws -> Workplace {
        try await access.people.person(account, as: .worker)
        return try await open(code, for: account) { workplace, transaction in
            guard try await places.worker(of: account, at: workplace.id, in: transaction) == nil else {
                throw WorkforceError.memberAlready
            }
            return workplace
        }
    }

    /// Requests to join a workplace.
    ///
    /// - Throws: as `workplace(with:for:)`; `WorkforceError.field`.
    func join(
        with code: InviteCode,
        color: String,
        wage: WageDraft,
        by account: AccountID
    ) async throws -> (workplace: WorkplaceID, worker: WorkerID) {
        let person = try await access.people.person(account, as: .worker)
        return try await open(code, for: account) { workplace, transaction in
            guard
                let worker = try await workers.insert(
                    account,
                    at: workplace.id,
                    workerColor: color,
                    isAccepted: false,
                    at: now(),
                    in: transaction
                )
            else { throw WorkforceError.memberAlready }
            try await wages.begin(wage, of: worker, at: workplace, in: transaction)
            let alert = WorkforceEvents.MemberAlerted(
                account: workplace.creator,
                sender: account,
                kind: .joinRequested,
                arguments: [person.nickname, workplace.name],
                workplace: workplace.id,
                worker: worker
            )
            try await alerts.announce(alert, in: transaction)
            return (workplace.id, worker)
        }
    }

    /// Runs `body` with the workplace of a code. Invalid codes are counted, with a lock on the user's row, so that
    /// concurrent requests do not exceed the limit.
    private func open<Value: Sendable>(
        _ code: InviteCode,
        for account: AccountID,
        _ body: @Sendable (Workplace, PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        let opened: Value? = try await database.transaction(key: "invitation \(code.text)") { transaction in
            try await people.lock(account, in: transaction)
            let now = now()
            let start = now - Self.triesPeriod
            if let limiting = try await store.failure(
                of: account,
                since: start,
                countedBack: Self.tries,
                in: transaction
            ) {
                let wait = limiting.timeIntervalSince(start)
                throw WorkforceError.tooManyTries(retryAfter: max(1, Int(wait.rounded(.up))))
            }
            guard let workplace = try await store.workplace(with: code, at: now, in: transaction) else {
                try await store.note(failureOf: account, at: now, forgettingUntil: start, in: transaction)
                return nil
            }
            return try await body(workplace, transaction)
        }
        guard let opened else { throw WorkforceError.workplaceNotFound }
        return opened
    }
}
