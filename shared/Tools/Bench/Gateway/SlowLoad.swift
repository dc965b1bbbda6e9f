import AppClients
import Apps
import NIOCore
import StackKit

/// Requests for posts of Anlaka through the gateway, at a constant rate: lists of what is nearby, and one comment in
/// eight.
struct SlowLoad: Sendable {
    enum Kind: CaseIterable, Sendable {
        case read, write
    }

    private let fixture: GatewayFixture
    private let token: String
    private let posts: [String]

    private static let connections = 32
    private static let posts = 100

    /// Signs an author up, who writes the posts.
    init(_ fixture: GatewayFixture) async throws {
        let author: AnlakaClient = fixture.client(key: AppKey.anlaka)
        token = try await fixture.join(author)
        try await waitUntil("community knows the author") { try await author.send(\.listLikedPosts).status == 200 }
        let post: RequestBody = [
            "category": "맛집", "title": "국밥", "content": "골목 안", "longitude": 127.045, "latitude": 37.652, "files": [],
        ]
        var posts: [String] = []
        for _ in 0..<Self.posts {
            posts.append(try await author.send(\.createPost, body: post).json().text("post_id"))
        }
        (self.posts, self.fixture) = (posts, fixture)
    }

    private static func kind(of number: Int) -> Kind { number % 8 == 7 ? .write : .read }

    /// - Parameter delay: After the start of the load.
    private func request(_ number: Int, after delay: TimeAmount = .zero) -> BurstLoad.Request {
        let head = "Host: madang\r\nSeSACKey: \(AppKey.anlaka)\r\nAuthorization: \(token)\r\n"
        let text: String
        switch Self.kind(of: number) {
        case .read:
            let query = "longitude=127.045&latitude=37.652&maxDistance=5000&limit=10"
            text = "GET /v1/posts/geolocation?\(query) HTTP/1.1\r\n\(head)\r\n"
        case .write:
            let body = #"{"content":"comment \#(number)"}"#
            text = """
                POST /v1/posts/\(posts[number / 8 % posts.count])/comments HTTP/1.1\r\n\(head)\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
        }
        return BurstLoad.Request(port: fixture.gateway, text: text, delay: delay)
    }

    /// Requests per second on a few connections, each of which sends its next request after each answer.
    func capacity(for duration: Duration) async throws -> Double {
        let (start, each) = (ContinuousClock.now, 20)
        var (answered, seconds) = (0, 0.0)
        while ContinuousClock.now - start < duration {
            let requests = (0..<Self.connections * each).map { request($0) }
            let answers = try await BurstLoad.run(requests, queued: each, timeout: .seconds(60))
            guard answers.allSatisfy(\.isGood) else { throw StackError("a request failed without a slow copy") }
            answered += answers.count
            seconds += Double(answers.map(\.time.nanoseconds).max() ?? 0) / 1e9
        }
        return Double(answered) / seconds
    }

    /// - Parameters:
    ///   - rate: Requests per second.
    ///   - begins: Called when the load begins.
    /// - Returns: The answers after the scheduled times of the requests, by kind.
    func answers(
        rate: Double,
        for duration: Duration,
        begins: () -> Void = {}
    ) async throws -> [Kind: [BurstLoad.Answer]] {
        let count = Int(rate * (duration / .seconds(1)))
        let requests = (0..<count).map { request($0, after: .nanoseconds(Int64(Double($0) / rate * 1e9))) }
        let answers = try await BurstLoad.run(requests, timeout: .seconds(60), begins: begins)
        return Dictionary(grouping: answers.indices) { Self.kind(of: $0) }.mapValues { $0.map { answers[$0] } }
    }
}
