import Contracts
import FoundationEssentials
import Postgres
import Values

extension Sessions {
    /// A session as listed to its owner.
    struct Summary: Sendable, Equatable {
        var id: String
        /// The owner's name for the device.
        var name: String?
        /// The device's `User-Agent`.
        var device: String?
        var address: String?
        var createdAt: Date
        /// Time of the last sign-in, refresh, or first call with new tokens.
        var seenAt: Date
    }

    /// Maximum number of sessions in a list; older ones are omitted.
    static let listLimit = 100
    static let nameLimit = 50

    /// The active sessions of an account, most recently used first.
    func list(of account: AccountID) async throws -> [Summary] {
        try await store.summaries(of: account, limit: Self.listLimit, in: database)
    }

    /// Whether a session was opened or refreshed within a number of seconds.
    func isFresh(_ session: String, within seconds: Int) async throws -> Bool {
        try await store.isFresh(session, within: seconds, in: database)
    }

    /// Names a session; a blank name removes the name.
    ///
    /// - Throws: `SessionError.sessionUnknown` when the account has no such session, `.nameInvalid`.
    func rename(_ session: String, of account: AccountID, to name: String, origin: Origin) async throws -> Summary {
        guard TypedText.isShowable(name, limit: Self.nameLimit) else {
            throw SessionError.nameInvalid
        }
        let isBlank = name.allSatisfy(\.isWhitespace)
        return try await database.transaction(key: "account \(account)") { transaction in
            guard
                let renamed = try await store.rename(session, of: account, to: isBlank ? nil : name, in: transaction)
            else { throw SessionError.sessionUnknown }
            try audit.record(.sessionNamed, account: account, session: session, origin: origin, in: transaction)
            return renamed
        }
    }

    /// Ends one session of an account. The call is idempotent.
    ///
    /// - Parameter current: the session of the caller; ending it is a sign-out.
    /// - Throws: `SessionError.sessionUnknown` when the account has no such session, or it is already deleted.
    func revoke(_ session: String, of account: AccountID, app: App, current: String, origin: Origin) async throws {
        let isCurrent = session == current
        try await database.transaction(key: "account \(account)") { transaction in
            let ended = try await end(
                session,
                of: account,
                app: app,
                reason: isCurrent ? .signedOut : .revoked,
                in: transaction
            )
            guard ended else {
                guard try await store.belongs(session, to: account, in: transaction) else {
                    throw SessionError.sessionUnknown
                }
                return
            }
            try audit.record(
                isCurrent ? .signedOut : .sessionRevoked,
                account: account,
                session: session,
                origin: origin,
                in: transaction
            )
        }
    }

    /// Ends all sessions of an account, except for one if given.
    ///
    /// - Returns: what gateways need to know of those that were active.
    func revokeAll(
        of account: AccountID,
        app: App,
        except kept: String?,
        origin: Origin
    ) async throws -> [AuthAPI.Revocations.Revocation] {
        try await database.transaction(key: "account \(account)") { transaction in
            let ended = try await store.endAll(of: account, except: kept, reason: .revoked, in: transaction)
            for id in ended {
                try await announceEnd(of: id, account: account, app: app, in: transaction)
                try audit.record(
                    .sessionRevoked,
                    account: account,
                    session: id,
                    origin: origin,
                    in: transaction
                )
            }
            return ended.map { revocation(of: $0, in: app) }
        }
    }
}
