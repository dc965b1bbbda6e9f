import FoundationEssentials
import StackKit
import Values

/// Companion posts, as a part of the travel companions app's scenario.
extension Phone {
    /// Publishes a companion post for tomorrow, and finds it in the lists of others.
    ///
    /// - Returns: The post's id.
    func playCompanions() async throws -> Int64 {
        let title = "내일 저녁 한강 같이 걸어요"
        let tomorrow = SeoulTime.date(of: .now) + 1
        try await send(
            "The person looks for a companion, tomorrow at half past six.",
            .post,
            "/api/v1/posts",
            body: [
                "gender": false, "age": "20 ~ 24", "requests": ["사진 촬영", "전화 통화"], "region": "홍대/합정/마포/서대문/은평",
                "date": .string("\(tomorrow)T18:30"), "price": 10000, "title": .string(title),
                "content": "망원에서 만나 노을을 보고 사진을 남겨요.",
            ]
        )
        let home = try await send("The home screen shows posts of the person's region.", .get, "/api/v1/home")
        guard home["result"]?["homePosts"]?[0] != nil else { throw StackError("the home screen is empty") }
        let list = try await send(
            "The list shows who wants to meet there, and the days to choose from.",
            .get,
            "/api/v1/posts?region=&date="
        )
        guard let post = list["result"]?["posts"]?.elements.first(where: { $0["title"]?.string == title }) else {
            throw StackError("the list lacks the post")
        }
        let id = try post.number("postId")
        let detail = try await send("The person opens it.", .get, "/api/v1/posts/\(id)")
        guard detail["result"]?["postDetailInfo"]?["date"] == post["date"] else {
            throw StackError("the page tells another time than the list")
        }
        return id
    }
}
