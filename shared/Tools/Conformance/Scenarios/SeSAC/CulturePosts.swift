import AppClients

/// A review with a picture and a hashtag, what another visitor does with it, and its end.
struct CulturePosts {
    let stage: Stage
    let person: Person
    let visitor: Person
    private static let unknown = CultureScenario.unknown

    func play() async throws {
        let files = try await person.ask("POST /v1/posts/files", body: SamplePicture.form("files"))
        try await person.refused("POST /v1/posts/files", body: SamplePicture.form("other"), with: 400, when: "no file")
        let text: JSON = [
            "product_id": "ksm_post", "title": "덕수궁의 밤", "content": "정가가 남아요. #덕수궁야행", "files": files["files"] ?? [],
        ]
        let post = try await person.ask("POST /v1/posts", body: .json(text)).text("post_id")
        let foreign = text.merging(["files": ["uploads/posts/none.jpg"]])
        try await person.refused("POST /v1/posts", body: .json(foreign), with: 400, when: "foreign file")
        if let path = files["files"]?[0]?.string {
            try await visitor.ask("GET /v1/{image_path}", path, as: "picture of a post")
        }
        try await stage.part("comments") { try await comments(post) }
        try await stage.part("likes") { try await likes(post) }
        try await stage.part("lists of posts") { try await lists(post) }
        try await stage.part("changes of posts") { try await changes(post) }
    }

    private func comments(_ post: String) async throws {
        let call = "/v1/posts/{post_id}/comments"
        let id = try await visitor.ask("POST \(call)", post, body: ["content": "저도 가요"]).text("comment_id")
        try await visitor.refused("POST \(call)", post, body: ["content": ""], with: 400, when: "empty text")
        let long = String(repeating: "가", count: 1001)
        try await visitor.refused("POST \(call)", post, body: ["content": .string(long)], with: 400, when: "long text")
        try await visitor.refused("POST \(call)", Self.unknown, body: ["content": "x"], with: 410, when: "unknown id")
        try await visitor.ask("PUT \(call)/{comment_id}", post, id, body: ["content": "다음에 가요"])
        try await person.refused(
            "PUT \(call)/{comment_id}",
            post,
            id,
            body: ["content": "x"],
            with: 445,
            when: "not the author"
        )
        try await visitor.ask("GET /v1/posts/{post_id}", post, as: "with a comment")
        try await person.refused("DELETE \(call)/{comment_id}", post, id, with: 445, when: "not the author")
        // The app takes exactly 200 for a deletion.
        try await visitor.ask("DELETE \(call)/{comment_id}", post, id, expecting: 200)
        try await visitor.refused("DELETE \(call)/{comment_id}", post, id, with: 410, when: "unknown id")
    }

    private func likes(_ post: String) async throws {
        for like in ["like", "like-2"] {
            let call = "POST /v1/posts/{post_id}/\(like)"
            let answer = try await visitor.ask(call, post, body: ["like_status": true])
            let came = answer["like_status"] ?? .null
            stage.compare(call, came == true, expected: "true", came: came.description, as: "status")
            try await visitor.refused(call, post, body: [:], with: 400, when: "empty body")
            try await visitor.refused(call, Self.unknown, body: ["like_status": true], with: 410, when: "unknown id")
        }
        for list in ["likes", "likes-2"] { try await visitor.ask("GET /v1/posts/\(list)/me", query: "next=&limit=10") }
        try await visitor.refused("GET /v1/posts/likes/me", query: "next=nonsense", with: 400, when: "bad cursor")
        let seen = try await person.ask("GET /v1/posts/{post_id}", post, as: "with likes")
        let likes = seen["likes"]?.elements ?? []
        let call = "GET /v1/posts/{post_id}"
        stage.compare(call, likes == [.string(visitor.id)], expected: "who likes it", came: "\(likes)", as: "likes")
    }

    private func lists(_ post: String) async throws {
        let first = try await visitor.ask("GET /v1/posts", query: "next=&limit=10&product_id=ksm_post")
        if let next = first["next_cursor"]?.string, next != "0" {
            try await visitor.ask("GET /v1/posts", query: "next=\(next)&limit=10&product_id=ksm_post", as: "next page")
        }
        try await visitor.refused("GET /v1/posts", query: "next=nonsense&limit=10", with: 400, when: "bad cursor")
        let none = try await visitor.ask("GET /v1/posts", query: "next=&limit=10&product_id=none\(post)", as: "no post")
        let isEnd = none["data"] == [] && none["next_cursor"] == "0"
        stage.compare("GET /v1/posts", isEnd, expected: "an empty last page", came: none.description, as: "no post")
        try await visitor.ask("GET /v1/posts/users/{user_id}", person.id, query: "next=&limit=10&product_id=")
        try await visitor.ask("GET /v1/posts/hashtags", query: "hashTag=덕수궁야행&next=&limit=10")
        try await visitor.ask("GET /v1/posts/{post_id}", post)
        try await visitor.refused("GET /v1/posts/{post_id}", Self.unknown, with: 410, when: "unknown id")
    }

    private func changes(_ post: String) async throws {
        let call = "/v1/posts/{post_id}"
        try await person.ask("PUT \(call)", post, body: ["title": "덕수궁의 낮"])
        try await visitor.refused("PUT \(call)", post, body: ["title": "x"], with: 445, when: "not the author")
        try await person.refused("PUT \(call)", Self.unknown, body: ["title": "x"], with: 410, when: "unknown id")
        try await visitor.refused("DELETE \(call)", post, with: 445, when: "not the author")
        try await person.ask("DELETE \(call)", post, expecting: 200)
        try await person.refused("DELETE \(call)", post, with: 410, when: "unknown id")
    }
}
