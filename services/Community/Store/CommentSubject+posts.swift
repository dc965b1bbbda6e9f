import Comments
import Contracts
import Postgres

extension CommentSubject {
    /// Posts of an app, as far as somebody may see them.
    static func posts(of app: App) -> CommentSubject {
        CommentSubject("post", table: "posts", column: "post_id") { account in
            "t.app = \(app) AND \(PostStore.isVisible(to: account))"
        }
    }
}
