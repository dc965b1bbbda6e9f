import Contracts
import FoundationEssentials
import Postgres

/// What operators see of people, and what they do about them.
struct PeopleLookup: Sendable {
    let sessions: Sessions
    private let store = OperatorLookupStore()
    private let withdrawals = WithdrawalStore()
    private let audit = AuditLog()

    private static let limit = 20
    private static let longestText = 254

    init(sessions: Sessions) { self.sessions = sessions }

    /// The accounts that a text may mean, with their open sessions.
    func find(_ text: String) async throws -> [OperatorsAPI.Person] {
        guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0) else { return [] }
        var people = try await store.people(
            text,
            phones: Self.phones(text),
            limit: Self.limit,
            in: sessions.database
        )
        for index in people.indices {
            people[index].limits = try await limits(of: people[index].account)
            people[index].sessions = try await sessions.list(of: people[index].account).map { session in
                OperatorsAPI.Session(
                    id: session.id,
                    name: session.name,
                    device: session.device,
                    createdAt: session.createdAt.timeIntervalSince1970,
                    seenAt: session.seenAt.timeIntervalSince1970
                )
            }
        }
        return people
    }

    /// A phone number as it may be stored: With Suhyeon has digits, and the other apps what their users wrote.
    private static func phones(_ text: String) -> [String] {
        guard let number = PhoneNumber(text.filter { $0 != "-" && $0 != " " }) else { return [text] }
        return [text, number.text, number.hyphenated]
    }

    /// The limit of an account's sign-ins from all addresses; none without an e-mail address.
    private func limits(of account: AccountID) async throws -> [OperatorsAPI.Limit] {
        let kind = RateLimiter.Kind.signInOfAccount
        guard let subject = try await store.signInSubject(of: account, in: sessions.database),
            let (left, limit) = try await sessions.allowances.left(kind, subject)
        else { return [] }
        return [OperatorsAPI.Limit(name: kind.setting.name, left: left, of: limit)]
    }

    /// Takes back a withdrawal in its grace period, and refills the limit of the account's sign-ins.
    ///
    /// - Returns: Whether a withdrawal was taken back.
    /// - Throws: `AccountError.accountGone`.
    func restore(_ restore: OperatorsAPI.Restore) async throws -> Bool {
        try await sessions.database.transaction(key: "account \(restore.account)") { transaction in
            // Locks the account's row first, as a sign-in does.
            guard try await withdrawals.unmarkLeaving(restore.account, app: restore.app, in: transaction) else {
                throw AccountError.accountGone
            }
            if let subject = try await store.signInSubject(of: restore.account, in: transaction) {
                try await sessions.allowances.refill(.signInOfAccount, subject, in: transaction)
            }
            guard try await withdrawals.cancel(restore.account, in: transaction) else { return false }
            let origin = Origin(userAgent: "console: \(restore.by)")
            try audit.record(.stayed, account: restore.account, origin: origin, in: transaction)
            return true
        }
    }

    /// - Throws: `SessionError.sessionUnknown`, also for an account of another app.
    func end(_ end: OperatorsAPI.End) async throws {
        guard try await store.app(of: end.account, in: sessions.database) == end.app else {
            throw SessionError.sessionUnknown
        }
        try await sessions.revoke(
            end.session,
            of: end.account,
            app: end.app,
            current: "",
            origin: Origin(userAgent: "console: \(end.by)")
        )
    }
}
