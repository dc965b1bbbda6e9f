import AppClients
import Apps

/// How an app renews its access token (the contracts of the apps).
struct Renewal: Sendable {
    /// The statuses after which the app refreshes, and repeats the request.
    var statuses: Set<Int>
    /// Whether the app refreshes before a request when the token has ended by its own clock.
    var isAhead = false
    /// Whether requests of one phone wait for one refresh.
    var isShared = false
    /// Whether any refresh that fails, also one without an answer, signs the person out.
    var failureSignsOut = true
    let connection: AppConnection
    /// Sends the refresh, and keeps the tokens of its answer.
    let refresh: @Sendable () async throws -> ClientResponse
    /// What a person who is signed out does.
    let signIn: @Sendable () async throws -> Void
}

extension Renewal {
    /// Anlaka refreshes when the token has ended by the phone's clock, once for all requests that wait, and takes 419 for an
    /// error like others (Anlaka contract 3.2).
    static func of(_ client: AnlakaClient, _ account: SeSACAccount) -> Renewal {
        Renewal(
            statuses: [],
            isAhead: true,
            isShared: true,
            failureSignsOut: false,
            connection: client.connection,
            refresh: { try await client.refresh(header: "RefreshToken") },
            signIn: { try await client.signIn(account) }
        )
    }

    /// Seoul Culture refreshes after 419, and deletes its tokens when that fails (Culture contract 4.1).
    static func of(_ client: CultureClient, _ account: SeSACAccount) -> Renewal {
        Renewal(
            statuses: [419],
            connection: client.connection,
            refresh: { try await client.refresh(header: "Refresh") },
            signIn: { try await client.signIn(account) }
        )
    }

    /// MOUP refreshes after 401, and signs the person out when that fails (MOUP contract 1.1).
    ///
    /// - Parameter name: At Google.
    static func of(_ client: MOUPClient, _ name: String, _ sandbox: SandboxClient) -> Renewal {
        Renewal(
            statuses: [401],
            isShared: true,
            connection: client.connection,
            refresh: { try await client.refresh() },
            signIn: { _ = try await client.signIn(code: sandbox.googleCode(name)).expect() }
        )
    }

    /// SeatCatcher refreshes after 401, each request by itself, and shows its sign-in when that fails (SeatCatcher
    /// contract 1.4).
    ///
    /// - Parameter id: At Kakao.
    static func of(_ client: SeatCatcherClient, _ id: Int64, _ sandbox: SandboxClient) -> Renewal {
        Renewal(
            statuses: [401],
            connection: client.connection,
            refresh: { try await client.refresh() },
            signIn: { try await client.signIn(kakao: sandbox.kakaoToken(id)) }
        )
    }
}
