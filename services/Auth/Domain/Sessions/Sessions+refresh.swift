import Contracts
import Crypto
import Events
import FoundationEssentials
import Postgres

extension Sessions {
    /// Exchanges a refresh token for new tokens.
    ///
    /// A refresh from an origin that resembles none before is reported to the account's devices.
    ///
    /// - Parameter isForwarded: Whether the gateway forwards a request with the new access token.
    /// - Throws: `SessionError`; `.reused` for a token whose successor is in use, which ends the session.
    func refresh(
        _ token: String,
        app: App,
        device: Device,
        isForwarded: Bool = false
    ) async throws -> IssuedTokens {
        let now = now()
        let presented = try mint.read(refreshToken: token, app: app)
        guard now < presented.expiresAt else { throw SessionError.refreshExpired }
        try await allowances.take(.refreshOfSession, presented.session)
        let answer = try await database.transaction(key: "session \(presented.session)") {
            transaction -> Result<TokenPair, SessionError> in
            guard let session = try await store.session(id: presented.session, lockedIn: transaction) else {
                return .failure(.sessionEnded)
            }
            let refresh = Refresh(
                session: session,
                token: token,
                origin: device.origin,
                isForwarded: isForwarded,
                now: now
            )
            switch session.family.verdict(presented: presented.generation, from: device.origin, now: now) {
            case .rotate where app.rotatesRefreshTokens:
                return .success(try rotate(refresh, in: transaction))
            case .rotate, .repeatAnswer:
                return .success(try await repeatAnswer(refresh, in: transaction))
            case .reused:
                try await end(session.id, of: session.account, app: app, reason: .reused, in: transaction)
                try audit.record(
                    .tokenReused,
                    account: session.account,
                    session: session.id,
                    origin: device.origin,
                    in: transaction
                )
                return .failure(.reused(revocation(of: session.id, in: app)))
            case .ended(let reason):
                return .failure(SessionError(endedFor: reason))
            case .expired:
                return .failure(.refreshExpired)
            }
        }
        return IssuedTokens(session: presented.session, pair: try answer.get())
    }

    /// Records the generations that have called an API.
    func noteUses(_ uses: [AuthAPI.Uses.Use]) async throws {
        guard !uses.isEmpty else { return }
        try await store.noteUses(uses, in: database)
    }

    /// A refresh whose session row is locked.
    private struct Refresh {
        var session: Session
        /// The presented refresh token.
        var token: String
        var origin: Origin
        var isForwarded: Bool
        var now: Date

        /// The successor is encrypted under the replaced token, so that only its holder can read it.
        var seal: KeyEncryption { KeyEncryption(secret: token, purpose: "successor of a refresh token") }
    }

    private func rotate(_ refresh: Refresh, in transaction: PostgresTransaction) throws -> TokenPair {
        var session = refresh.session
        try reportIfUnfamiliar(refresh, in: transaction)
        session.family.rotate(to: refresh.origin, at: refresh.now, isForwarded: refresh.isForwarded)
        let pair = try mint.pair(for: session, now: refresh.now)
        try keep(pair, of: session, refresh, in: transaction)
        return pair
    }

    /// The tokens of the last refresh. An old access token is replaced by a new one, so that a late request also gets
    /// one with a sufficient remaining lifetime.
    private func repeatAnswer(_ refresh: Refresh, in transaction: PostgresTransaction) async throws -> TokenPair {
        var session = refresh.session
        try reportIfUnfamiliar(refresh, in: transaction)
        session.family.repeatAnswer(to: refresh.origin, isForwarded: refresh.isForwarded)
        let kept = try await store.successor(of: session.id, in: transaction)
        var pair = TokenPair(accessToken: "", refreshToken: refresh.token)
        if let kept { pair = try JSONDecoder().decode(TokenPair.self, from: Data(refresh.seal.open(kept))) }
        let lifetime = Double(mint.lifetimes(session.app).access)
        let isRenewed = session.family.renewAnswer(at: refresh.now, accessLifetime: lifetime)
        guard isRenewed || kept == nil else {
            if session != refresh.session { try transaction.enqueue([store.setOrigins(of: session)]) }
            return pair
        }
        pair.accessToken = try mint.accessToken(for: session, now: refresh.now)
        try keep(pair, of: session, refresh, in: transaction)
        return pair
    }

    private func reportIfUnfamiliar(_ refresh: Refresh, in transaction: PostgresTransaction) throws {
        let session = refresh.session
        guard session.family.isUnfamiliar(refresh.origin) else { return }
        let event = AuthEvents.SessionUsedElsewhere(
            account: session.account,
            app: session.app,
            session: session.id,
            device: refresh.origin.userAgent
        )
        try outbox.publish(event, in: transaction)
    }

    private func keep(
        _ pair: TokenPair,
        of session: Session,
        _ refresh: Refresh,
        in transaction: PostgresTransaction
    ) throws {
        let sealed = try refresh.seal.close(JSONEncoder().encode(pair))
        try transaction.enqueue([store.setTokens(sealed: sealed, of: session, origin: refresh.origin)])
    }
}

extension SessionError {
    fileprivate init(endedFor reason: Session.EndReason?) {
        switch reason {
        case .leaving: self = .accountLeaving
        case .withdrawn: self = .accountGone
        case .signedOut, .revoked, .reused, nil: self = .sessionEnded
        }
    }
}
