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

    /// `GET /internal/files/{name}?account=ACCOUNT` → 200 with the bytes of a file that somebody of Anlaka has sent for a post;
    /// 404 for what is not theirs, or gone.
    package enum File {
        /// What stands before the name in the path that Anlaka knows.
        package static let prefix = "/data/posts/"

        package static func path(_ name: String, of account: Int64) -> String {
            "/internal/files/\(name)?account=\(account)"
        }
    }

    /// `GET /internal/posts/{post}` → 200 with what it takes to sell something for a post of Seoul Culture; 404 for a post that
    /// is not there.
    package struct Offer: Codable, Sendable, Equatable {
        package static func path(_ post: String) -> String { "/internal/posts/\(post)" }

        /// Whose post it is.
        package var account: Int64
        package var title: String?
        /// Won; nil for a post that nothing is sold for.
        package var price: Int64?

        package init(account: Int64, title: String?, price: Int64?) {
            self.account = account
            self.title = title
            self.price = price
        }
    }

    /// `POST /internal/companion-posts` `{posts}` → 200 with those of With Suhyeon's companion posts that are there, in no
    /// order.
    package struct CompanionPosts: Codable, Sendable, Equatable {
        package static let path = "/internal/companion-posts"
        /// So many may be asked for at once.
        package static let limit = 1000

        package struct Request: Codable, Sendable, Equatable {
            package var posts: [Int64]

            package init(posts: [Int64]) {
                self.posts = posts
            }
        }

        package struct Post: Codable, Sendable, Equatable {
            package var id: Int64
            package var author: Int64
            package var title: String
            /// The key of its `Region`.
            package var region: String
            /// Won.
            package var price: Int

            package init(id: Int64, author: Int64, title: String, region: String, price: Int) {
                self.id = id
                self.author = author
                self.title = title
                self.region = region
                self.price = price
            }
        }

        package var posts: [Post]

        package init(posts: [Post]) {
            self.posts = posts
        }
    }
}
