import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import Postgres
import Profiles
import TestKit

@testable import Community

/// The service on the current test's database, with people from events of auth.
struct CommunityWorld: Sendable {
    let client: any TestClientProtocol
    /// The app of the clients.
    let app: App

    /// - Parameters:
    ///   - app: the app of all people.
    ///   - people: accounts with their nicknames.
    ///   - now: the current time; the system clock by default.
    ///   - adjust: changes the settings.
    static func test(
        _ app: App,
        people: [AccountID: String] = [1: "하루", 2: "나무", 9: "바다"],
        now: (@Sendable () -> Date)? = nil,
        _ adjust: (inout CommunityConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (CommunityWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in people { try await addProfile(account, nickname, app) }
        var configuration = CommunityConfiguration(database: database.configuration)
        if let now { configuration.now = now }
        // No service answers there: accounts without an event are unknown.
        configuration.authURLs = ["http://127.0.0.1:9"]
        configuration.notificationsURLs = ["http://127.0.0.1:9"]
        configuration.seoulURL = "http://127.0.0.1:9"
        adjust(&configuration)
        defer { try? FileManager.default.removeItem(atPath: configuration.files.folder) }
        try await buildCommunity(configuration, logger: .quiet).test(.router) { client in
            try await body(CommunityWorld(client: client, app: app))
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
            INSERT INTO people (account_id, app, public_id, nickname, image, region)
            VALUES (\(account), \(app), \(publicID(account)), \(nickname), \(image(account, app)),
                \(app == .withsuhyeon ? region : nil))
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

    /// The user id of an account in the app.
    static func publicID(_ account: AccountID) -> String {
        let digits = String(account.rawValue, radix: 16)
        return String(repeating: "a", count: 24 - digits.count) + digits
    }

    var database: PostgresClient { TestDatabase.current.client }

    func phone(_ account: AccountID) -> Phone { Phone(client, app: app, account: account) }

    /// A client of another app.
    func phone(_ account: AccountID, of app: App) -> Phone { Phone(client, app: app, account: account) }

    /// Uploads files; returns their paths.
    func upload(_ account: AccountID, _ pictures: [[UInt8]]) async throws -> [String] {
        struct Answer: Decodable { var files: [String] }
        let form = pictures.enumerated().reduce(MultipartForm()) { form, picture in
            form.file("files", picture.element, filename: "files\(picture.offset).jpg")
        }
        return try await phone(account).send(.post, "/v1/posts/files", form: form).json(Answer.self).files
    }

    /// Delivers an event of another service.
    func hear<E: Event>(_ event: E, from process: String) async throws -> Int {
        let body = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
        let json = #"{"id":"\#(UUID())","name":"\#(E.name)","body":\#(body)}"#
        return try await Phone(client, process: process).send(.post, "/internal/events", json: json).status.code
    }

    /// The people that the service knows.
    var people: People { People(database: database) { _ in nil } }

    /// PostgreSQL's plan of a statement.
    func plan(_ sql: SQL) async throws -> String {
        try await database.all("EXPLAIN \(sql)") { try $0.decode(String.self) }.joined(separator: "\n")
    }

    func count(_ table: String) async throws -> Int {
        try await database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
    }
}
