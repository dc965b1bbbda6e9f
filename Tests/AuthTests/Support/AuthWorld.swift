import Authentication
import Contracts
import Events
import Files
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import TestKit
import Testing

@testable import Auth
@testable import Sandbox

/// The service on the current test's database, with the sandbox for its providers and a stub for the other services.
struct AuthWorld: ServiceWorld {
    static let service = ServiceName.auth

    let client: any TestClientProtocol
    let sandbox: any TestClientProtocol
    /// The domain, as another copy of the service would have it.
    let domain: AuthDomain
    let clock: ManualClock

    /// - Parameter community: the community service's circle of an account; empty circles by default.
    static func test(
        community: (@Sendable (AccountID) -> CommunityAPI.Circle)? = nil,
        _ adjust: @Sendable (inout AuthConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (AuthWorld) async throws -> Void
    ) async throws {
        var configuration = AuthConfiguration(database: TestDatabase.current.configuration)
        configuration.passwordCost = .least
        let clock = ManualClock()
        configuration.now = { clock.now }
        adjust(&configuration)
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { [configuration] sandbox in
            try await withStubs([.seats, .workforce, .estate, .community, .chat], community) { [configuration] urls in
                var configuration = configuration
                configuration.providers.move(to: "http://127.0.0.1:\(sandbox.port ?? 0)")
                if configuration.noticeSpool == AuthConfiguration.usualNoticeSpool {
                    configuration.noticeSpool = Self.temporaryFolder()
                }
                configuration.seatsURLs = urls[.seats] ?? []
                configuration.workforceURLs = urls[.workforce] ?? []
                configuration.estateURLs = urls[.estate] ?? []
                configuration.chatURLs = urls[.chat] ?? []
                if configuration.communityURLs == [HostConfiguration.noServer] {
                    configuration.communityURLs = urls[.community] ?? []
                }
                defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
                let auth = try buildAuth(configuration, logger: .quiet)
                let domain = AuthDomain(
                    configuration,
                    database: TestDatabase.current.client,
                    outbox: outbox(seats: configuration.seatsURLs),
                    seats: seatsClient(configuration.seatsURLs),
                    community: InternalClient(
                        to: .community,
                        at: configuration.communityURLs,
                        keys: .development(.auth)
                    ),
                    logger: .quiet
                )
                try await domain.ring.refresh()
                try await auth.test(.router) { client in
                    try await body(AuthWorld(client: client, sandbox: sandbox, domain: domain, clock: clock))
                }
            }
        }
    }

    /// A client of SeatCatcher.
    func client(account: AccountID? = nil) -> ServiceClient {
        ServiceClient(client, to: .auth, app: .seatcatcher, account: account)
    }

    /// A client of Anlaka without a session.
    var anlaka: ServiceClient { ServiceClient(client, to: .auth, app: .anlaka) }

    private static func seatsClient(_ urls: [String]) -> InternalClient {
        InternalClient(to: .seats, at: urls, keys: .development(.auth))
    }

    private static func outbox(seats urls: [String]) -> Outbox {
        let events: [any Event.Type] = [AuthEvents.AccountWithdrawn.self, AuthEvents.SessionRevoked.self]
        return Outbox(subscribers: [
            Subscriber(.seats, to: events, client: seatsClient(urls)),
            Subscriber(.workforce, to: [AuthEvents.AccountWithdrawn.self], client: seatsClient(urls)),
            Subscriber(.notifications, to: [AuthEvents.AccountWithdrawn.self], client: seatsClient(urls)),
        ])
    }

    /// The path of a temporary folder, which is not created yet.
    static func temporaryFolder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "madang-\(UUID())").path()
    }

    /// Runs stubs of services while `body` runs with their addresses.
    private static func withStubs(
        _ services: ArraySlice<ProgramName>,
        _ community: (@Sendable (AccountID) -> CommunityAPI.Circle)?,
        at urls: [ProgramName: [String]] = [:],
        _ body: @escaping @Sendable ([ProgramName: [String]]) async throws -> Void
    ) async throws {
        guard let service = services.first else { return try await body(urls) }
        try await stub(service, community).test(.live) { stub in
            let all = urls.merging([service: ["http://127.0.0.1:\(stub.port ?? 0)"]]) { $1 }
            try await withStubs(services.dropFirst(), community, at: all, body)
        }
    }

    private static func stub(
        _ service: ProgramName,
        _ community: (@Sendable (AccountID) -> CommunityAPI.Circle)?
    ) throws -> some ApplicationProtocol {
        try ServiceHost.application(
            service.rawValue,
            configuration: HostConfiguration(service, port: 0),
            apiDocument: Array("{}".utf8),
            services: [],
            checks: [],
            logger: .quiet,
            prepare: {},
            routes: { router in
                router.on(.get, "internal/passengers/:account", from: .auth) { _, _ in Response.text(#"{"credit":310}"#)
                }
                router.on(.get, "internal/people/:account/circle", from: .auth) { _, context in
                    try Response.json(
                        community?(context.id("account", as: AccountID.self) ?? 0) ?? CommunityAPI.Circle()
                    )
                }
                router.on(.post, "internal/events", from: .auth) { _, _ in Response.empty(.noContent) }
            }
        )
    }
}

extension Trait where Self == FixtureTrait<AuthWorld> {
    static var service: Self { .service { _ in } }

    /// - Parameter adjust: changes the settings.
    static func service(_ adjust: @escaping @Sendable (inout AuthConfiguration) -> Void) -> Self {
        .fixture { try await AuthWorld.test(adjust, $0) }
    }
}

extension AuthWorld {
    /// A Kakao access token of a user, as Kakao would issue it to the app.
    func kakaoToken(id: Int, appID: Int? = nil) async throws -> String {
        let app = appID.map { #","app_id":\#($0)"# } ?? ""
        return try await control("kakao/tokens", #"{"id":\#(id)\#(app)}"#)["access_token"] ?? ""
    }

    /// An Apple identity token of a user.
    func appleToken(_ fields: String) async throws -> String {
        try await control("apple/tokens", fields)["identity_token"] ?? ""
    }

    func control(_ path: String, _ json: String) async throws -> [String: String] {
        try await sandbox.control(path, json).json()
    }

    /// Signs in with Kakao; the account and its tokens.
    func signIn(kakao id: Int) async throws -> (account: AccountID, tokens: TokenPair) {
        let token = try await kakaoToken(id: id)
        let body = #"{"accessToken":"\#(token)","fcmToken":""}"#
        let answer = try await client().send(.post, "/user/authenticate/kakao", json: body)
        let tokens = try answer.json(TokenPair.self)
        return (try tokens.claims.account, tokens)
    }
}

extension TokenPair {
    /// The unverified claims of the access token.
    var claims: (account: AccountID, session: String, type: String) { get throws { try Self.read(accessToken) } }

    static func read(_ token: String) throws -> (account: AccountID, session: String, type: String) {
        struct Claims: Decodable {
            var sub: String
            var sid: String
            var typ: String
        }
        let payload = token.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode($0.utf8) } ?? []
        let claims = try JSONDecoder().decode(Claims.self, from: Data(payload))
        return (AccountID(claims.sub) ?? 0, claims.sid, claims.typ)
    }
}
