import AppClients
import Apps
import Contracts
import FoundationEssentials
import Values

/// Visitors of the city: they join, review, like, follow, and give a hundred won.
struct CultureScenario {
    let stage: Stage
    static let unknown = "aaaaaaaaaaaaaaaaaaaaaaaa"

    func play() async throws {
        try await stage.part("signing in") { try await signIns() }
        try await stage.part("the city's open data") { try await openData() }
        try await stage.part("two visitors") {
            let person = try await stage.member("first", nick: "나들이", isSignedIn: false)
            let visitor = try await stage.member("second", nick: "이웃", isSignedIn: false)
            for member in [person, visitor] { try await member.identify() }
            try await stage.part("refresh") { try await refresh(person) }
            try await stage.part("profiles") { try await profiles(person, visitor) }
            try await stage.part("follows") { try await follows(visitor, person) }
            try await stage.part("posts") {
                try await CulturePosts(stage: stage, person: person, visitor: visitor).play()
            }
            try await stage.part("payments") { try await payments(person, visitor) }
            try await stage.part("withdrawing") { try await withdraw(visitor) }
        }
    }

    private func signIns() async throws {
        let stranger = stage.stranger()
        let free = "conform-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await stranger.ask("POST /v1/validation/email", body: ["email": .string(free)])
        try await stranger.refused("POST /v1/validation/email", body: ["email": "x"], with: 400, when: "no address")
        try await stranger.refused("POST /v1/users/join", body: [:], with: 400, when: "empty body")
        let spaced: RequestBody = ["email": .string(free), "password": "conform2025!", "nick": "두 단어"]
        try await stranger.refused("POST /v1/users/join", body: spaced, with: 402, when: "space in nick")
    }

    private func openData() async throws {
        guard let call = stage.contract.calls.first(where: { $0.path.contains("culturalEventInfo") }) else { return }
        let today = SeoulTime.date(of: .now).description
        let stranger = stage.stranger()
        // `%2520` is the app's wildcard.
        try await stranger.ask(call.name, "app", 1, 5, "%2520", "%2520", today)
        let none = try await stranger.ask(call.name, "app", 1, 5, "%2520", "%2520", "1999-01-01", as: "no event")
        let rows = none["culturalEventInfo"]?["row"]
        stage.compare(call.name, rows == [], expected: "an empty list of rows", came: none.description, as: "no event")
    }

    private func refresh(_ person: Person) async throws {
        let call = "GET /v1/auth/refresh"
        let fresh = try await person.ask(call, headers: ["Refresh": person.refreshToken])
        if let token = fresh["accessToken"]?.string { person.connection.tokens?.accessToken = token }
        try await person.ask(call, headers: ["Refresh": person.refreshToken], as: "the same token again")
        try await stage.stranger().refused(call, headers: ["Refresh": "nonsense"], with: 401, when: "bad token")
        try await stage.stranger().refused(call, with: 400, 401, when: "no token")
    }

    private func profiles(_ person: Person, _ visitor: Person) async throws {
        let own = "/v1/users/me/profile"
        try await person.ask("GET \(own)")
        let changed = try await person.ask("PUT \(own)", body: SamplePicture.form("profile"))
        try await person.refused("PUT \(own)", body: SamplePicture.form("other"), with: 400, when: "no part")
        if let path = changed["profileImage"]?.string {
            try await visitor.ask("GET /v1/{image_path}", path, as: "profile picture")
        }
        let missing = "uploads/posts/none.jpg"
        try await visitor.refused("GET /v1/{image_path}", missing, with: 404, 410, when: "unknown name")
        try await visitor.ask("GET /v1/users/{user_id}/profile", person.id)
        try await visitor.refused("GET /v1/users/{user_id}/profile", Self.unknown, with: 410, when: "unknown id")
        try await visitor.ask("GET /v1/users/search", query: "nick=나들이")
        try await visitor.refused("GET /v1/users/search", with: 400, when: "no nick")
    }

    private func follows(_ visitor: Person, _ person: Person) async throws {
        await visitor.settle(.post, "/v1/follow/\(person.id)")
        for (method, status) in [("POST", true), ("DELETE", false), ("POST", true)] {
            let call = "\(method) /v1/follow/{user_id}"
            let answer = try await visitor.ask(call, person.id)
            let came = answer["following_status"] ?? .null
            stage.compare(call, came == .bool(status), expected: "\(status)", came: came.description, as: "status")
        }
        for method in ["POST", "DELETE"] {
            let call = "\(method) /v1/follow/{user_id}"
            try await visitor.refused(call, Self.unknown, with: 410, when: "unknown id")
            try await visitor.refused(call, visitor.id, with: 400, when: "oneself")
        }
        try await person.ask("GET /v1/users/me/profile", as: "with followers")
    }

    private func payments(_ person: Person, _ theatre: Person) async throws {
        let call = "POST /v1/payments/validation"
        try await person.ask("GET /v1/payments/me")
        try await person.refused(call, body: [:], with: 400, when: "empty body")
        let text: RequestBody = [
            "product_id": "ksm_post", "title": "후원하기", "content": "작은 극장", "price": 100, "files": [],
        ]
        let post = try await theatre.ask("POST /v1/posts", body: text).text("post_id")
        let unpaid: RequestBody = ["imp_uid": "imp_000000000000", "post_id": .string(post)]
        try await person.refused(call, body: unpaid, with: 400, when: "unknown payment")
        let missing: RequestBody = ["imp_uid": "imp_000000000000", "post_id": .string(Self.unknown)]
        try await person.refused(call, body: missing, with: 410, when: "unknown post")
        // The released app makes the code itself.
        let code =
            "ios_\(person.connection.currentHeaders["SeSACKey"] ?? "")_\(Int64(Date.now.timeIntervalSince1970 * 1000))"
        let paid = try await stage.sandbox(for: "a payment").pay(code, 100)
        let given: RequestBody = ["imp_uid": .string(paid), "post_id": .string(post)]
        let first = try await person.ask(call, body: given)
        let again = try await person.ask(call, body: given, as: "again")
        stage.compare(call, first == again, expected: "the same answer", came: again.description, as: "again")
        try await theatre.refused(call, body: given, with: 409, when: "another's payment")
        try await person.ask("GET /v1/payments/me", as: "with a payment")
    }

    private func withdraw(_ person: Person) async throws {
        let call = "GET /v1/users/withdraw"
        guard !person.isLent else { return stage.results.skip(call, because: "the accounts of --credentials stay") }
        try await person.ask(call)
        await person.settle(.get, "/v1/users/me/profile") { $0 != 200 }
        try await person.refused("GET /v1/users/me/profile", with: 401, 403, when: "withdrawn")
    }
}
