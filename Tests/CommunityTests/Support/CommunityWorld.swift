import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import Postgres
import Profiles
import TestKit
import Testing

@testable import Community

/// The service on the current test's database, with people from events of auth.
struct CommunityWorld: ServiceWorld {
    static let service = ServiceName.community

    let client: any TestClientProtocol
    let clock: ManualClock
    /// The app of the clients.
    let app: App

    /// - Parameters:
    ///   - app: the app of all people.
    ///   - people: accounts with their nicknames.
    ///   - adjust: changes the settings.
    static func test(
        _ app: App,
        people: [AccountID: String] = [1: "하루", 2: "나무", 9: "바다"],
        clock: ManualClock = ManualClock(),
        _ adjust: (inout CommunityConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (CommunityWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in people { try await addProfile(account, nickname, app) }
        var configuration = CommunityConfiguration(database: database.configuration)
        configuration.now = { clock.now }
        // No service answers there: accounts without an event are unknown.
        configuration.authURLs = ["http://127.0.0.1:9"]
        configuration.notificationsURLs = ["http://127.0.0.1:9"]
        configuration.seoulURL = "http://127.0.0.1:9"
        adjust(&configuration)
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        try await buildCommunity(configuration, logger: .quiet).test(.router) { client in
            try await body(CommunityWorld(client: client, clock: clock, app: app))
        }
    }

    /// - Parameter region: With Suhyeon's, by its key.
    static func addProfile(
        _ account: AccountID,
        _ nickname: String,
        _ app: App,
        region: String = "SEOUL_JAMSIL"
    ) async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, image, region, known_since)
            VALUES (\(account), \(app), \(publicID(account)), \(nickname), \(image(account, app)),
                \(app == .withsuhyeon ? region : nil), NULL)
            """
        )
    }

    private static func image(_ account: AccountID, _ app: App) -> String {
        switch app {
        case .anlaka: "/data/profiles/\(account).jpg"
        case .withsuhyeon: "img_red_suma"
        default: "uploads/profiles/\(account).jpg"
        }
    }

    func client(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .community, app: app, account: account)
    }

    /// A client of another app.
    func client(_ account: AccountID, of app: App) -> ServiceClient {
        ServiceClient(client, to: .community, app: app, account: account)
    }

    /// Uploads files; returns their paths.
    func upload(_ account: AccountID, _ pictures: [[UInt8]]) async throws -> [String] {
        struct Answer: Decodable { var files: [String] }
        let form = pictures.enumerated().reduce(MultipartForm()) { form, picture in
            form.file("files", picture.element, filename: "files\(picture.offset).jpg")
        }
        return try await client(account).send(.post, "/v1/posts/files", form: form).json(Answer.self).files
    }

    /// The people that the service knows.
    var people: People { People(database: database) { _ in nil } }
}

extension Trait where Self == FixtureTrait<CommunityWorld> {
    static var anlaka: Self { .fixture { try await CommunityWorld.test(.anlaka, { _ in }, $0) } }
    static var culture: Self { .fixture { try await CommunityWorld.test(.culture, { _ in }, $0) } }
}
