/// The community service's API for other processes.
package enum CommunityAPI {
    /// `GET /internal/people/{account}/circle` → 200, also for an account without followers or posts.
    package struct Circle: Codable, Sendable, Equatable {
        package static func path(_ account: AccountID) -> String { "/internal/people/\(account)/circle" }

        /// Accounts, the latest first.
        package var followers: [AccountID]
        package var following: [AccountID]
        /// Public ids of posts, the newest first.
        package var posts: [PublicID]

        package init(followers: [AccountID] = [], following: [AccountID] = [], posts: [PublicID] = []) {
            self.followers = followers
            self.following = following
            self.posts = posts
        }
    }

    /// `GET /internal/files/{name}?account=ACCOUNT` → 200 with the bytes of a file that an Anlaka user uploaded for a
    /// post; 404 for a file of another user, or a deleted one.
    package enum File {
        /// The prefix of the name in the paths that Anlaka uses.
        package static let prefix = "/data/posts/"

        package static func path(_ name: String, of account: AccountID) -> String {
            "/internal/files/\(name)?account=\(account)"
        }
    }

    /// `GET /internal/posts/{post}` → 200 with the sale data of a Seoul Culture post; 404 for an unknown post.
    package struct Offer: Codable, Sendable, Equatable {
        package static func path(_ post: PublicID) -> String { "/internal/posts/\(post)" }

        /// The author of the post.
        package var account: AccountID
        package var title: String?
        /// Won; nil for a post without a sale.
        package var price: Int64?

        package init(account: AccountID, title: String?, price: Int64?) {
            self.account = account
            self.title = title
            self.price = price
        }
    }

    /// `POST /internal/companion-posts` `{posts}` → 200 with the existing ones of the given With Suhyeon companion
    /// posts, in no particular order.
    package struct CompanionPosts: Codable, Sendable, Equatable {
        package static let path = "/internal/companion-posts"
        /// The maximum number of posts per call.
        package static let limit = 1000

        package struct Request: Codable, Sendable, Equatable {
            package var posts: [CompanionPostID]

            package init(posts: [CompanionPostID]) {
                self.posts = posts
            }
        }

        package struct Post: Codable, Sendable, Equatable {
            package var id: CompanionPostID
            package var author: AccountID
            package var title: String
            /// The key of its `Region`.
            package var region: String
            /// Won.
            package var price: Int

            package init(id: CompanionPostID, author: AccountID, title: String, region: String, price: Int) {
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
