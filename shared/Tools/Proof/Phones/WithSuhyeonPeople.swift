import AppClients
import Apps
import FoundationEssentials
import Values

/// People of With Suhyeon.
enum WithSuhyeonPeople {
    private static let region = "홍대/합정/마포/서대문/은평"

    /// Signs a person in with Kakao, up with a verified phone number, and in.
    ///
    /// - Parameters:
    ///   - id: At Kakao; of each person another one.
    ///   - number: Of each person another one.
    static func join(_ id: Int64, number: String, nickname: String, in city: City) async throws -> WithSuhyeonClient {
        let client = WithSuhyeonClient(city.gateway(of: nickname))
        let user = try await client.signIn(kakao: city.sandbox.kakaoToken(id)).number("userId")
        try await client.sendCode(number)
        try await client.verify(number, code: city.sandbox.verificationCode(number))
        let form = WithSuhyeonClient.Form(
            number: number,
            nickname: nickname,
            image: "img_purple_suma",
            region: region
        )
        try await client.signUp(form, userID: user)
        try await client.signIn(number)
        return client
    }

    /// Looks for a companion, tomorrow at half past six.
    ///
    /// - Returns: The post's id.
    static func post(_ title: String, by client: WithSuhyeonClient) async throws -> Int64 {
        let body: RequestBody = [
            "gender": false, "age": "20 ~ 24", "requests": ["사진 촬영"], "region": .string(region),
            "date": "\(SeoulTime.date(of: .now) + 1)T18:30", "price": 10000, "title": .string(title),
            "content": "망원에서 만나 노을을 보고 사진을 남겨요.",
        ]
        // The community service hears of new people by an event.
        try await waitUntil("the author may write", every: .milliseconds(100), atMost: .seconds(60)) {
            (try? await client.send(\.createPost, body: body).result()) != nil
        }
        let posts = try await client.send(\.listPosts, query: "region=&date=").result()["posts"]?.elements ?? []
        guard let own = posts.first(where: { $0["title"]?.string == title }) else {
            throw ProofError("a companion post is not in the list")
        }
        return try own.number("postId")
    }
}
