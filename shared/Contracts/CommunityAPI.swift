/// What the community service answers other processes.
package enum CommunityAPI {
    /// `GET /internal/people/{account}/circle` → 200, also for who has neither followers nor posts.
    package struct Circle: Codable, Sendable, Equatable {
        package static func path(_ account: Int64) -> String { "/internal/people/\(account)/circle" }

        /// Accounts, the latest first.
        package var followers: [Int64]
        package var following: [Int64]
        /// Public ids of posts, the newest first.
        package var posts: [String]

        package init(followers: [Int64] = [], following: [Int64] = [], posts: [String] = []) {
            self.followers = followers
            self.following = following
            self.posts = posts
        }
    }
}
