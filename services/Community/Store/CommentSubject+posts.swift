import Contracts
import Postgres
import Profiles

extension CommentSubject<PostID> {
    /// The posts of an app that are visible to an account.
    static func posts(of app: App) -> Self {
        Self("post", table: "posts", column: "post_id") { account in
            "t.app = \(app) AND \(PostStore.isVisible(to: account))"
        }
    }
}
