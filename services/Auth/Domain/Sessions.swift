import Contracts
import Crypto
import FoundationEssentials
import Outbox
import Postgres

/// Sessions: opened by a sign-in, kept alive by refreshes, ended by their owner or by a token that comes back.
struct Sessions: Sendable {
    let database: PostgresClient
    let store = SessionStore()
    let mint: TokenMint
    let outbox: Outbox

    /// Opens a session for somebody who has just proved who they are.
    ///
    /// - Throws: `AccountError.accountGone` when they leave at the same time.
    func open(for account: Account, device: Device, in transaction: PostgresTransaction) async throws -> TokenPair {
        let now = Date.now
        let session = Session(
            id: PublicID.random(),
            account: account.id,
            app: account.app,
            family: RefreshFamily(generation: 0, expiresAt: now + Double(mint.lifetimes(account.app).refresh))
        )
        try await store.insert(session, device: device, in: transaction)
        return try mint.pair(for: session, now: now)
    }

    /// New tokens for a refresh token.
    ///
    /// - Throws: `SessionError`. A token that was replaced long ago ends the session for everybody who has a part of it.
    func refresh(_ token: String, app: App, device: Device) async throws -> TokenPair {
        let now = Date.now
        let presented = try mint.read(refreshToken: token, app: app)
        guard now < presented.expiresAt else { throw SessionError.refreshExpired }
        let answer = try await database.transaction { transaction -> Result<TokenPair, SessionError> in
            guard var session = try await store.session(id: presented.session, lockedIn: transaction) else {
                return .failure(.sessionEnded)
            }
            switch session.family.verdict(presented: presented.generation, now: now) {
            case .rotate:
                session.family.generation += 1
                let pair = try mint.pair(for: session, now: now)
                let successor = try seal(under: token).close(JSONEncoder().encode(pair))
                try await store.rotate(session, at: now, successor: successor, device: device, in: transaction)
                return .success(pair)
            case .repeatAnswer:
                guard let successor = try await store.successor(of: session.id, in: transaction) else {
                    return .failure(.sessionEnded)
                }
                return .success(
                    try JSONDecoder().decode(TokenPair.self, from: Data(seal(under: token).open(successor)))
                )
            case .reused:
                try await end(session, reason: .reused, in: transaction)
                return .failure(.sessionEnded)
            case .ended:
                return .failure(.sessionEnded)
            case .expired:
                return .failure(.refreshExpired)
            }
        }
        return try answer.get()
    }

    /// Ends all sessions of an account, and forgets where they were.
    func endAll(
        of account: Int64,
        app: App,
        reason: Session.EndReason,
        in transaction: PostgresTransaction
    ) async throws {
        for id in try await store.endAll(of: account, reason: reason, in: transaction) {
            let event = AuthEvents.SessionRevoked(account: account, session: id, app: app)
            try await outbox.publish(event, in: transaction)
        }
        try await store.forgetDevices(of: account, in: transaction)
    }

    private func end(_ session: Session, reason: Session.EndReason, in transaction: PostgresTransaction) async throws {
        guard try await store.end(session.id, reason: reason, in: transaction) else { return }
        let event = AuthEvents.SessionRevoked(account: session.account, session: session.id, app: session.app)
        try await outbox.publish(event, in: transaction)
    }

    /// Whether a session is still going on.
    func isAlive(_ session: String) async throws -> Bool {
        try await store.isAlive(session, in: database)
    }

    /// Only who presents the replaced token can read what replaced it.
    private func seal(under token: String) -> Seal {
        Seal(secret: token, purpose: "successor of a refresh token")
    }
}

/// A sign-in on a device.
struct Session: Sendable, Equatable {
    var id: String
    var account: Int64
    var app: App
    var family: RefreshFamily

    enum EndReason: String, Sendable {
        case signedOut = "signed_out"
        case reused, withdrawn
    }
}
