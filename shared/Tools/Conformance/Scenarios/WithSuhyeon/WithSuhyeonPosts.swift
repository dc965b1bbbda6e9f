import AppClients
import Apps
import FoundationEssentials
import Values

/// A companion post, the talk about it on the socket, and its end.
struct WithSuhyeonPosts {
    let stage: Stage
    let author: Person
    let guest: Person
    private static let posts = "/api/v1/posts"

    func play() async throws {
        let body: JSON = [
            "gender": false, "age": "20 ~ 24", "requests": ["사진 촬영", "전화 통화"],
            "region": .string(WithSuhyeonScenario.region), "date": "\(SeoulTime.date(of: .now) + 1)T18:30",
            "price": 10000, "title": "한강 같이 걸어요", "content": "노을을 보고 사진을 남겨요.",
        ]
        for person in [author, guest] { await person.settle(.get, "/api/v1/home") }
        try await author.ask("POST \(Self.posts)", body: .json(body))
        for (field, value, code) in [
            ("age", "99", "POST_002"), ("region", "달", "POST_003"), ("title", "", "REQUEST_001"),
        ] {
            let bad = body.merging(.object([field: .string(value)]))
            try await author.refused(
                "POST \(Self.posts)",
                body: .json(bad),
                with: 400,
                code: code,
                when: "bad \(field)"
            )
        }
        let bad = body.merging(["requests": ["춤"]])
        try await author.refused(
            "POST \(Self.posts)",
            body: .json(bad),
            with: 400,
            code: "POST_004",
            when: "unknown request"
        )
        try await lists()
        let own = try await author.ask("GET /api/v1/mypage/posts", as: "with a post")["result"]?["userPosts"]
        let id = try (own?[0] ?? .null).number("postId")
        let page = "\(Self.posts)/{postId}"
        for person in [author, guest] { try await person.ask("GET \(page)", id) }
        let missing = WithSuhyeonScenario.missing
        try await guest.refused("GET \(page)", missing, with: 410, code: "POST_006", when: "unknown id")
        try await guest.refused("GET \(page)", "x", with: 410, code: "REQUEST_009", when: "no id")
        try await stage.part("chat") {
            try await WithSuhyeonTalk(stage: stage, author: author, guest: guest, post: id).play()
        }
        try await guest.refused("DELETE \(page)", id, with: 403, code: "POST_005", when: "not the author")
        try await author.ask("DELETE \(page)", id)
        try await author.refused("DELETE \(page)", id, with: 410, code: "POST_006", when: "unknown id")
    }

    private func lists() async throws {
        try await guest.ask("GET /api/v1/home")
        let list = try await guest.ask("GET \(Self.posts)", query: "region=&date=")["result"] ?? .null
        let days = list["days"]?.elements ?? []
        let isWeek = days.count == 8 && days.first == "전체"
        stage.compare("GET \(Self.posts)", isWeek, expected: "전체 and seven days", came: "\(days)", as: "days")
        try await guest.refused(
            "GET \(Self.posts)",
            query: "region=달",
            with: 400,
            code: "POST_003",
            when: "unknown region"
        )
    }
}
