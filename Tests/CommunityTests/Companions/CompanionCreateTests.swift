import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct CompanionCreateTests {
    private var world: CompanionWorld { .current }

    @Test func newPost_isListed() async throws {
        let json = PostJSON(
            date: "2027-01-02T09:05",
            other: [
                "gender": "false", "age": #""40세 이상""#, "price": "100000",
                "requests": #"["영상 통화","사진 촬영","영상 통화"]"#,
            ]
        )
        let answer = try await world.client(1).send(.post, "/api/v1/posts", json: json.text)
        #expect(answer.isPlainSuccess, "\(answer.text)")
        let item = try #require(try await world.list().posts.first)
        #expect(item.age == "40세 이상" && item.price == 100_000 && !item.gender && !item.matching)
        #expect(item.date == "1월 2일 (토) 오전 9시 05분" && item.isExpired == false)
        let requests = try await world.database.one("SELECT requests FROM companion_posts") {
            try $0.decode([String].self)
        }
        #expect(requests == ["VIDEO", "PHOTO"])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var field: String
        var value: String
        var refusal: String?

        var testDescription: String { "\(field): \(value.prefix(40))" }

        init(_ field: String, _ value: String, _ refusal: String?) {
            (self.field, self.value, self.refusal) = (field, value, refusal)
        }

        private static func text(_ count: Int) -> String { "\"\(String(repeating: "가", count: count))\"" }

        static let all = [
            // Valid values, at the limits.
            Case("title", text(1), nil), Case("title", text(30), nil), Case("content", text(200), nil),
            Case("content", #""두\n줄""#, nil), Case("price", "0", nil), Case("price", "100000", nil),
            Case("requests", "[]", nil), Case("age", #""20~24""#, nil), Case("age", #""40세이상""#, nil),
            Case("age", #""35 ~ 39""#, nil), Case("region", #""전국 전체""#, nil),
            Case("date", #""2020-01-01T00:00""#, nil),
            Case("date", #""2025-01-25T18:00:00""#, nil),
            // Values beyond the limits, and invalid ones.
            Case("title", text(0), "400 REQUEST_001"), Case("title", text(31), "400 REQUEST_001"),
            Case("title", #""  ""#, "400 REQUEST_001"), Case("title", #""a\u0000b""#, "400 REQUEST_001"),
            Case("content", text(201), "400 REQUEST_001"), Case("content", text(300), "400 REQUEST_001"),
            Case("content", #""""#, "400 REQUEST_001"), Case("content", #""a\u0000""#, "400 REQUEST_001"),
            Case("price", "-1", "400 POST_001"), Case("price", "100001", "400 POST_001"),
            Case("price", "1.5", "400 REQUEST_001"), Case("price", "1e30", "400 REQUEST_001"),
            Case("price", #""1""#, "400 REQUEST_001"), Case("age", #""21 ~ 24""#, "400 POST_002"),
            Case("age", #""EARLY20""#, "400 POST_002"), Case("age", #"" ""#, "400 REQUEST_001"),
            Case("region", #""서울""#, "400 POST_003"), Case("region", #""""#, "400 REQUEST_001"),
            Case("requests", #"["사진"]"#, "400 POST_004"), Case("requests", #"["사진 촬영",null]"#, "400 REQUEST_001"),
            Case("date", #""2025-01-25""#, "400 REQUEST_001"), Case("date", #""2025-02-29T18:00""#, "400 REQUEST_001"),
            Case("date", #""""#, "400 REQUEST_001"), Case("gender", #""true""#, "400 REQUEST_001"),
        ]
    }

    @Test(arguments: Case.all)
    func field_mustFollowRules(example: Case) async throws {
        let json = PostJSON(other: [example.field: example.value]).text
        let answer = try await world.client(1).send(.post, "/api/v1/posts", json: json)
        if let refusal = example.refusal {
            #expect(answer.refusal == refusal, "\(answer.text)")
            // The decoder does not name the field of a number that is not whole.
            let isNamed = answer.text.contains(example.field) || answer.text.contains("not whole")
            #expect(isNamed, "\(answer.text)")
        } else {
            #expect(answer.status == .ok, "\(answer.text)")
        }
        #expect(try await world.count("companion_posts") == (example.refusal == nil ? 1 : 0))
    }

    @Test func missingField_isNamed() async throws {
        let fields = ["gender", "age", "requests", "region", "date", "price", "title", "content"]
        for field in fields {
            let json = PostJSON(other: [field: "null"]).text
            for json in [json, json.replacing("\"\(field)\":null", with: "\"other\":1")] {
                let answer = try await world.client(1).send(.post, "/api/v1/posts", json: json)
                #expect(answer.refusal == "400 REQUEST_001" && answer.text.contains(field), "\(answer.text)")
            }
        }
        for json in ["", "[]", "{", "null"] {
            let answer = try await world.client(1).send(.post, "/api/v1/posts", json: json)
            #expect(answer.refusal == "400 REQUEST_001", "\(json): \(answer.text)")
        }
    }

    @Test func refusal_listsEveryBrokenRule() async throws {
        let json = PostJSON(title: "", date: "x").text
        let answer = try await world.client(1).send(.post, "/api/v1/posts", json: json)
        struct Refusal: Decodable { var message: String }
        let lines = try answer.json(Refusal.self).message.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].hasPrefix("title") && lines[1].hasPrefix("date"))
    }

    @Test func repeatedRequest_createsOnePost() async throws {
        let key: HTTPFields = [HTTPField.Name("Idempotency-Key") ?? .via: "k"]
        try await withThrowingTaskGroup { group in
            for account in [1, 1, 1, 2] as [AccountID] {
                group.addTask {
                    let phone = world.client(account)
                    return try await phone.send(.post, "/api/v1/posts", json: PostJSON().text, headers: key).status
                }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(try await world.count("companion_posts") == 2)
    }

    @Test func creation_withoutSignIn_returns401() async throws {
        let anonymous = ServiceClient(world.client, to: .community, app: .withsuhyeon)
        let json = PostJSON().text
        #expect(try await anonymous.send(.post, "/api/v1/posts", json: json).refusal == "401 REQUEST_005")
        try await world.database.execute("UPDATE people SET withdrawn_at = now() WHERE account_id = 1")
        #expect(try await world.client(1).send(.post, "/api/v1/posts", json: json).status == .unauthorized)
        #expect(try await world.count("companion_posts") == 0)
    }
}
