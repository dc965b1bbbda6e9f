import StackKit

/// Community posts, as a part of the real-estate app's scenario.
extension Phone {
    /// Publishes a post; a nearby user finds it, likes it and comments.
    ///
    /// - Returns: The phone of that user.
    func playNeighbourhood() async throws -> Phone {
        let post = try await send(
            "The person tells the neighbourhood something.",
            .post,
            "/v1/posts",
            body: [
                "category": "동네소식", "title": "수락산 아래 새 빵집", "content": "아침 일곱 시부터 문을 열어요. 소금빵이 맛있습니다.",
                "longitude": 127.0454, "latitude": 37.6523, "files": [],
            ]
        )
        let id = try post.text("post_id")

        let neighbour = another("neighbour")
        let email = "neighbour-\(UInt32.random(in: 0...UInt32.max))@example.com"
        let joined = try await neighbour.send(
            "Somebody else joins.",
            .post,
            "/v1/users/join",
            body: ["email": .string(email), "password": "anlaka2025!", "nick": "이웃"]
        )
        await neighbour.keep("Authorization", try joined.text("accessToken"))
        let near = try await neighbour.send(
            "They look at what is told within 500 m.",
            .get,
            "/v1/posts/geolocation?longitude=127.0467&latitude=37.6531&maxDistance=500&limit=5&order=createdAt"
        )
        guard near["data"]?.elements.contains(where: { $0["post_id"] == post["post_id"] }) == true else {
            throw StackError("the neighbour does not find the post")
        }
        try await neighbour.send("They like it.", .post, "/v1/posts/\(id)/like", body: ["like_status": true])
        try await neighbour.send(
            "And ask.",
            .post,
            "/v1/posts/\(id)/comments",
            body: ["content": "주말에도 여나요?"]
        )
        let seen = try await send("The person sees both.", .get, "/v1/posts/\(id)")
        guard seen["like_count"] == 1, seen["comments"]?[0]?["content"] == "주말에도 여나요?" else {
            throw StackError("the post lacks the like or the comment")
        }
        return neighbour
    }
}
