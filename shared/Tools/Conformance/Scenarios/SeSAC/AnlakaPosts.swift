import AppClients

/// A post with a picture, what neighbours do with it, and its end.
struct AnlakaPosts {
    let stage: Stage
    let person: Person
    let neighbour: Person

    func play() async throws {
        let files = try await person.ask("POST /v1/posts/files", body: SamplePicture.form("files"))
        try await person.refused("POST /v1/posts/files", body: SamplePicture.form("other"), with: 400, when: "no file")
        let text: JSON = [
            "category": "동네소식", "title": "새 빵집", "content": "소금빵이 맛있습니다.", "longitude": 127.0454, "latitude": 37.6523,
            "files": files["files"] ?? [],
        ]
        let post = try await person.ask("POST /v1/posts", body: .json(text)).text("post_id")
        try await person.refused("POST /v1/posts", body: [:], with: 400, when: "empty body")
        if let path = files["files"]?[0]?.string?.stripping("/data/") {
            try await person.ask("GET /v1/data/{path}", path, as: "file of a post")
        }
        try await stage.part("comments on posts") { try await comments(post) }
        try await stage.part("lists of posts") { try await lists(post) }
        try await stage.part("changes of posts") { try await changes(post, text) }
    }

    private func lists(_ post: String) async throws {
        let like = "POST /v1/posts/{post_id}/like"
        try await neighbour.ask(like, post, query: "post_id=\(post)", body: ["like_status": true])
        try await neighbour.refused(like, post, body: [:], with: 400, when: "empty body")
        try await neighbour.refused(
            like,
            AnlakaScenario.unknown,
            body: ["like_status": true],
            with: 404,
            when: "unknown id"
        )
        let near = "\(AnlakaScenario.place)&maxDistance=1000&limit=10&order=createdAt"
        try await neighbour.ask("GET /v1/posts/geolocation", query: near)
        try await neighbour.refused("GET /v1/posts/geolocation", query: "latitude=x", with: 400, when: "no place")
        try await neighbour.ask("GET /v1/posts/search", query: "title=빵집")
        try await neighbour.refused("GET /v1/posts/search", with: 400, when: "no title")
        try await neighbour.ask("GET /v1/posts/users/{user_id}", person.id, query: "limit=5")
        try await neighbour.ask("GET /v1/posts/likes/me", query: "limit=5")
        try await neighbour.refused("GET /v1/posts/likes/me", query: "next=nonsense", with: 400, when: "bad cursor")
        try await neighbour.ask("GET /v1/posts/{post_id}", post, query: "post_id=\(post)")
        try await neighbour.refused("GET /v1/posts/{post_id}", AnlakaScenario.unknown, with: 404, when: "unknown id")
    }

    private func comments(_ post: String) async throws {
        let call = "/v1/posts/{post_id}/comments"
        let id = try await neighbour.ask("POST \(call)", post, body: ["content": "주말에도 여나요?"]).text("comment_id")
        let reply: RequestBody = ["content": "네", "parent_comment_id": .string(id)]
        try await person.ask("POST \(call)", post, body: reply, as: "reply")
        try await person.refused("POST \(call)", post, body: ["content": ""], with: 400, when: "empty text")
        let long = String(repeating: "가", count: 1001)
        try await person.refused("POST \(call)", post, body: ["content": .string(long)], with: 400, when: "long text")
        try await person.refused(
            "POST \(call)",
            AnlakaScenario.unknown,
            body: ["content": "x"],
            with: 404,
            when: "unknown id"
        )
        try await neighbour.ask("PUT \(call)/{comment_id}", post, id, body: ["content": "일요일은요?"])
        try await person.refused(
            "PUT \(call)/{comment_id}",
            post,
            id,
            body: ["content": "x"],
            with: 445,
            when: "not the author"
        )
        try await person.ask("GET /v1/posts/{post_id}", post, as: "with replies")
        try await person.refused("DELETE \(call)/{comment_id}", post, id, with: 445, when: "not the author")
        try await neighbour.ask("DELETE \(call)/{comment_id}", post, id)
        try await neighbour.refused("DELETE \(call)/{comment_id}", post, id, with: 404, when: "unknown id")
    }

    private func changes(_ post: String, _ text: JSON) async throws {
        let call = "/v1/posts/{post_id}"
        try await person.ask("PUT \(call)", post, body: .json(text.merging(["title": "빵집"])))
        try await neighbour.refused("PUT \(call)", post, body: .json(text), with: 445, 400, when: "not the author")
        let unknown = AnlakaScenario.unknown
        try await person.refused("PUT \(call)", unknown, body: ["title": "x"], with: 404, when: "unknown id")
        try await neighbour.refused("DELETE \(call)", post, with: 445, when: "not the author")
        try await person.ask("DELETE \(call)", post)
        try await person.refused("DELETE \(call)", post, with: 404, when: "unknown id")
    }
}
