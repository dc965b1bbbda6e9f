import Authentication
import Contracts
import InternalClient

/// What the gateway asks of the auth service, each by a client of its own: questions that nobody waits for must not use up
/// the patience with an auth that is away (`InternalClient`), since refreshes have phones waiting for them.
struct AuthClients: Sendable {
    private let forKeys: InternalClient?
    private let forRevocations: InternalClient?
    private let forUses: InternalClient?
    private let forRefreshes: InternalClient?

    /// - Parameter make: a new client of the auth service; nil when there is none.
    init(_ make: () -> InternalClient?) {
        forKeys = make()
        forRevocations = make()
        forUses = make()
        forRefreshes = make()
    }

    func keys() async throws -> JWKS {
        try await Self.known(forKeys).get("/internal/keys")
    }

    /// What ended after a number; waits for so many seconds when nothing did.
    func revocations(after number: Int64, wait: Int) async throws -> AuthAPI.Revocations {
        try await Self.known(forRevocations).get(
            AuthAPI.Revocations.path(after: number, wait: wait),
            deadline: .seconds(wait + 2)
        )
    }

    func tell(_ uses: AuthAPI.Uses) async throws {
        try await Self.known(forUses).post(AuthAPI.Uses.path, uses, repeatable: true, deadline: .seconds(2))
    }

    func refresh(_ wish: Refreshes.Wish) async throws -> AuthAPI.Refreshed {
        let question = AuthAPI.Refresh(
            app: wish.app,
            refreshToken: wish.token,
            address: wish.address,
            userAgent: wish.userAgent
        )
        return try await Self.known(forRefreshes).post(
            AuthAPI.Refresh.path,
            question,
            as: AuthAPI.Refreshed.self,
            repeatable: true,
            deadline: .seconds(2)
        )
    }

    private static func known(_ client: InternalClient?) throws -> InternalClient {
        guard let client else { throw InternalCallError.unavailable("auth") }
        return client
    }
}
