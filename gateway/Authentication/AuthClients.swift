import Authentication
import Contracts
import ServiceKit
import Tracing

/// The gateway's clients of the auth service, one per purpose. Separate clients have separate circuit breakers
/// (`InternalClient`), so that failing background calls do not block refreshes, for which clients wait.
struct AuthClients: Sendable {
    private let forKeys: InternalClient?
    private let forRevocations: InternalClient?
    private let forUses: InternalClient?
    private let forRefreshes: InternalClient?

    /// - Parameter make: Creates a client of the auth service; nil if none is configured.
    init(_ make: () -> InternalClient?) {
        forKeys = make()
        forRevocations = make()
        forUses = make()
        forRefreshes = make()
    }

    func keys() async throws -> JWKS {
        try await Self.known(forKeys).get("/internal/keys")
    }

    /// The revocations after a number. The call waits for up to `wait` seconds if there are none yet, which has no place
    /// among the durations of calls.
    func revocations(after number: Int64, wait: Int) async throws -> AuthAPI.Revocations {
        try await ServiceContext.withoutSpans {
            try await Self.known(forRevocations).get(
                AuthAPI.Revocations.path(after: number, wait: wait),
                deadline: .seconds(wait + 2)
            )
        }
    }

    func tell(_ uses: AuthAPI.Uses) async throws {
        try await Self.known(forUses).post(AuthAPI.Uses.path, uses, repeatable: true, deadline: .seconds(2))
    }

    func refresh(_ request: RefreshCoordinator.RefreshRequest) async throws -> AuthAPI.Refreshed {
        let question = AuthAPI.Refresh(
            app: request.app,
            refreshToken: request.token,
            address: request.address,
            userAgent: request.userAgent
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
