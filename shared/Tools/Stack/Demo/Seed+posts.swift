import AppClients
import Apps
import StackKit

/// The posts of users of Anlaka and Seoul Culture.
extension Seed {
    private static let neighbours = [
        account, account("neighbour-1", nick: "느티나무"), account("neighbour-2", nick: "골목길"),
    ]
    private static let visitors = [account("visitor-1", nick: "나들이가자"), account("visitor-2", nick: "객석다열")]

    /// Publishes the missing posts. The accounts work concurrently, because password hashing takes most of the time.
    ///
    /// - Parameter report: Receives a message about the result.
    /// - Returns: Whether any posts were missing.
    func plantPosts(_ report: (String) -> Void) async throws -> Bool {
        async let posts = Self.plant(SeedPosts.count, of: Self.neighbours, on: { anlaka }) { number, _ in
            SeedPosts.post(number)
        }
        async let reviews = Self.plant(SeedPosts.reviewCount, of: Self.visitors, on: { culture }, pictures: 4) {
            SeedPosts.review($0, pictures: $1)
        }
        let isNew = (posts: try await posts, reviews: try await reviews)
        if isNew.posts { report("\(SeedPosts.count) posts of Anlaka") }
        if isNew.reviews { report("\(SeedPosts.reviewCount) reviews of Seoul Culture") }
        return isNew.posts || isNew.reviews
    }

    /// Publishes the missing posts of some accounts, the same number for each.
    ///
    /// - Parameters:
    ///   - pictures: How many pictures to upload before.
    ///   - post: The body of a post, by its number and the paths of the pictures.
    /// - Returns: Whether any posts were missing.
    private static func plant<Calls>(
        _ count: Int,
        of accounts: [SeSACAccount],
        on client: @escaping @Sendable () -> SeSACClient<Calls>,
        pictures: Int = 0,
        _ post: @escaping @Sendable (_ number: Int, _ pictures: [String]) -> JSON
    ) async throws -> Bool {
        let share = count / accounts.count
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, account) in accounts.enumerated() {
                group.addTask {
                    let client = client()
                    try await join(account, on: client)
                    try await client.signIn(account)
                    let own = try await client.send(\.listPostsByUser, client.id, query: "next=&limit=\(share)").json()
                    guard (own["data"]?.elements.count ?? 0) < share else { return false }
                    let paths =
                        pictures > 0
                        ? try await client.send(\.uploadPostFiles, body: form(0..<pictures)).files() : []
                    // Published sequentially, so that the author's list is in this order; the key makes a repeated
                    // request idempotent.
                    for number in index * share..<(index + 1) * share {
                        let key = ["Idempotency-Key": "seed-\(number)"]
                        try await client.send(\.createPost, headers: key, body: .json(post(number, paths))).json()
                    }
                    return true
                }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }
}
