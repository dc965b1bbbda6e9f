import Contracts
import FoundationEssentials
import Postgres

extension Sessions {
    /// A session as its owner sees it.
    struct Summary: Sendable, Equatable {
        var id: String
        /// What the owner calls the device.
        var name: String?
        /// The device's `User-Agent`.
        var device: String?
        var address: String?
        var createdAt: Date
        /// About when it was last heard of: a sign-in, a refresh, or the first call with new tokens.
        var seenAt: Date
    }

    /// The most sessions of one list; older ones are left out.
    static let listLimit = 100
    static let nameLimit = 50

    /// The sessions of an account that are going on, the latest first.
    func list(of account: Int64) async throws -> [Summary] {
        try await store.summaries(of: account, limit: Self.listLimit, in: database)
    }

    /// Whether somebody signed in with a session, or refreshed it, within so many seconds.
    func isFresh(_ session: String, within seconds: Int) async throws -> Bool {
        try await store.isFresh(session, within: seconds, in: database)
    }

    /// Calls a session by a name; a blank one takes the name away.
    ///
    /// - Throws: `SessionError.sessionUnknown` when there is none of the account, `.nameInvalid`.
    func rename(_ session: String, of account: Int64, to name: String, origin: Origin) async throws -> Summary {
        guard name.count <= Self.nameLimit, !name.unicodeScalars.contains(where: { $0.properties.isControl }) else {
            throw SessionError.nameInvalid
        }
        let isBlank = name.allSatisfy(\.isWhitespace)
        return try await database.transaction { transaction in
            guard
                let renamed = try await store.rename(session, of: account, to: isBlank ? nil : name, in: transaction)
            else { throw SessionError.sessionUnknown }
            try await audit.record(.sessionNamed, account: account, session: session, origin: origin, in: transaction)
            return renamed
        }
    }

    /// Ends one session of an account. Ending it again changes nothing.
    ///
    /// - Parameter current: the session that asks; ending that is signing out.
    /// - Throws: `SessionError.sessionUnknown` when there is none of the account, or it ended long ago.
    func revoke(_ session: String, of account: Int64, app: App, current: String, origin: Origin) async throws {
        let isCurrent = session == current
        try await database.transaction { transaction in
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
            try await audit.record(
                isCurrent ? .signedOut : .sessionRevoked,
                account: account,
                session: session,
                origin: origin,
                in: transaction
            )
        }
    }

    /// Ends all sessions of an account, or all but the one that asks.
    func revokeAll(of account: Int64, app: App, except kept: String?, origin: Origin) async throws {
        try await database.transaction { transaction in
            for id in try await store.endAll(of: account, except: kept, reason: .revoked, in: transaction) {
                try await announceEnd(of: id, account: account, app: app, in: transaction)
                try await audit.record(
                    .sessionRevoked,
                    account: account,
                    session: id,
                    origin: origin,
                    in: transaction
                )
            }
        }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
