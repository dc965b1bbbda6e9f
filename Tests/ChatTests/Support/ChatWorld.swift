import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// The service on the current test's database, with users whose profile events it has received.
struct ChatWorld: ServiceWorld {
    static let service = ServiceName.chat

    let client: any TestClientProtocol
    /// The app of the clients.
    let app: App

    /// - Parameters:
    ///   - app: the app of all users.
    ///   - people: the users' accounts with their nicknames.
    ///   - isLive: serves TCP, which sockets need.
    ///   - adjust: changes the settings.
    static func test(
        _ app: App,
        people: [AccountID: String] = [1: "하루", 2: "나무", 9: "바다"],
        isLive: Bool = false,
        _ adjust: (inout ChatConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ChatWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in people { try await addProfile(account, nickname, app) }
        var configuration = ChatConfiguration(database: database.configuration)
        // No service listens there: an account without a profile event is unknown.
        configuration.authURLs = ["http://127.0.0.1:9"]
        configuration.communityURLs = ["http://127.0.0.1:9"]
        configuration.notificationsURLs = ["http://127.0.0.1:9"]
        adjust(&configuration)
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        try await buildChat(configuration, logger: .quiet).test(isLive ? .live : .router) { client in
            let world = ChatWorld(client: client, app: app)
            if isLive { try await world.isReady() }
            try await body(world)
        }
    }

    /// Waits for readiness, as the gateway does.
    private func isReady() async throws {
        try await eventually("the service is ready") {
            try await client.execute(uri: "/readyz", method: .get, body: nil) { $0.status } == .ok
        }
    }

    static func addProfile(_ account: AccountID, _ nickname: String, _ app: App) async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, image)
            VALUES (\(account), \(app), \(publicID(account)), \(nickname),
                \(app == .anlaka ? "/data/profiles/\(account).jpg" : "img_red_suma"))
            """
        )
    }

    func client(_ account: AccountID) -> ServiceClient { ServiceClient(client, to: .chat, app: app, account: account) }

    /// Opens an Anlaka room of two users and returns its id.
    func room(of one: AccountID, _ other: AccountID) async throws -> String {
        struct Answer: Decodable {
            var id: String

            enum CodingKeys: String, CodingKey {
                case id = "room_id"
            }
        }
        let json = #"{"opponent_id":"\#(Self.publicID(other))"}"#
        return try await client(one).send(.post, "/v1/chats", json: json).json(Answer.self).id
    }
}

extension Trait where Self == FixtureTrait<ChatWorld> {
    /// The service by its router.
    static func chat(_ app: App) -> Self { .fixture { try await ChatWorld.test(app, { _ in }, $0) } }

    /// The service on TCP, which sockets need.
    static func liveChat(_ app: App) -> Self { .fixture { try await ChatWorld.test(app, isLive: true, { _ in }, $0) } }
}
