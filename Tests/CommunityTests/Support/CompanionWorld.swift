import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// With Suhyeon's part of the service, with auth and chat beside it, on the evening of the 30th of December 2026 in
/// Korea.
struct CompanionWorld: ServiceWorld {
    static let service = ServiceName.community

    let community: CommunityWorld
    let stubs: StubServices

    var client: any TestClientProtocol { community.client }
    var clock: ManualClock { community.clock }

    static func test(
        people: [AccountID: String] = [1: "하루", 2: "나무", 9: "바다"],
        _ adjust: @escaping @Sendable (inout CommunityConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (CompanionWorld) async throws -> Void
    ) async throws {
        let stubs = StubServices()
        try await stubs.run { url in
            try await CommunityWorld.test(
                .withsuhyeon,
                people: people,
                clock: ManualClock("2026-12-30T18:00"),
                {
                    $0.authURLs = [url]
                    $0.chatURLs = [url]
                    $0.publicURL = "https://service.example"
                    adjust(&$0)
                },
                { try await body(CompanionWorld(community: $0, stubs: stubs)) }
            )
        }
    }

    // MARK: Answers

    struct Envelope<Result: Decodable>: Decodable {
        var errorCode: String?
        var message: String
        var result: Result
    }

    struct Nothing: Decodable {}

    struct Item: Decodable, Equatable {
        var postId: CompanionPostID
        var title: String
        var price: Int
        var age: String
        var gender: Bool
        var date: String
        var matching: Bool
        var isExpired: Bool?
    }

    struct List: Decodable {
        var region: String
        var days: [String]
        var posts: [Item]
    }

    struct Home: Decodable {
        var count: Int
        var region: String
        var nickname: String
        var homePosts: [Item]
    }

    // MARK: Calls

    func client(_ account: AccountID) -> ServiceClient { community.client(account) }

    /// Sends a GET request; returns the result of a success.
    func get<Result: Decodable>(_ path: String, _ account: AccountID, as: Result.Type = Result.self) async throws
        -> Result
    {
        try await client(account).send(.get, path).json(Envelope<Result>.self).result
    }

    /// Publishes a post; returns its id.
    func post(
        _ title: String = "같이 가요",
        by account: AccountID = 1,
        region: String = "잠실/송파/강동",
        date: String = "2027-01-01T18:00"
    ) async throws -> CompanionPostID {
        let json = PostJSON(title: title, region: region, date: date).text
        let answer = try await client(account).send(.post, "/api/v1/posts", json: json)
        try #require(answer.status == .ok, "\(answer.text)")
        return try await database.one("SELECT max(id) FROM companion_posts") { try $0.decode(CompanionPostID.self) }
    }

    func list(_ account: AccountID = 2, region: String? = nil, date: String? = nil) async throws -> List {
        try await get("/api/v1/posts?\(Self.query(["region": region, "date": date]))", account)
    }

    static func query(_ values: [String: String?]) -> String {
        values.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }.joined(separator: "&")
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}

extension Trait where Self == FixtureTrait<CompanionWorld> {
    static var companions: Self { .fixture { try await CompanionWorld.test({ _ in }, $0) } }
}

/// A post as the client sends it; tests change a field.
struct PostJSON {
    var title = "같이 가요"
    var region = "잠실/송파/강동"
    var date = "2027-01-01T18:00"
    /// Replaced fields, as JSON.
    var other: [String: String] = [:]

    var text: String {
        var fields = [
            "gender": "true", "age": #""20 ~ 24""#, "requests": #"["사진 촬영"]"#, "region": "\"\(region)\"",
            "date": "\"\(date)\"", "price": "10000", "title": "\"\(title)\"", "content": #""한강에서 봐요""#,
        ]
        fields.merge(other) { $1 }
        return "{\(fields.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
}

extension TestResponse {
    /// Whether this is With Suhyeon's success without a payload.
    var isPlainSuccess: Bool {
        struct Success: Decodable {
            var errorCode: String?
            var message: String
            var result: String?
        }
        guard status == .ok, let body = try? json(Success.self), let keys = try? keys() else { return false }
        return body.errorCode == nil && body.message == "SUCCESS" && body.result == nil
            && keys == ["errorCode", "message", "result"]
    }

    /// The status and With Suhyeon's code: `410 POST_006`.
    var refusal: String {
        struct Refusal: Decodable { var errorCode: String }
        return "\(status.code) \((try? json(Refusal.self).errorCode) ?? "-")"
    }
}
