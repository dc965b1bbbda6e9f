import Comments
import Contracts
import Postgres
import ServiceDatabase

extension CommentSubject {
    /// Seoul Culture's posts, as far as somebody may see them.
    static let culturePosts = CommentSubject("post", table: "posts", column: "post_id") { account in
        "t.app = \(App.culture) AND (t.hidden_at IS NULL OR t.author_id = \(account))"
    }
}
