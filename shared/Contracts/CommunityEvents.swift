package import FoundationEssentials

/// What the community service announces.
package enum CommunityEvents {
    /// The service has let go of whatever was an account's, after its owner left (`AuthEvents.AccountWithdrawn`). Said
    /// each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "community.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }

    /// A companion post of With Suhyeon is gone, and with it what people have said to each other because of it.
    package struct CompanionPostDeleted: Event, Equatable {
        package static let name = "community.companion-post-deleted"

        package var post: Int64

        package var key: String { String(post) }

        package init(post: Int64) {
            self.post = post
        }
    }

    /// Somebody of Anlaka or Seoul Culture said something that another should hear of: the author of the post, and who is
    /// answered. Who is both hears of it once, and nobody of what they said themselves.
    package struct CommentWritten: Event, Equatable {
        package static let name = "community.comment-written"

        package var app: App
        /// Who is to hear of it.
        package var account: Int64
        /// Who said it.
        package var sender: Int64
        /// 24 hexadecimal digits: what the app calls the post.
        package var post: String
        /// 24 hexadecimal digits: what the app calls the comment.
        package var comment: String
        package var text: String
        /// It answers a comment of the account; otherwise it was said of the account's post.
        package var isReply: Bool
        /// One alert per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(
            app: App,
            account: Int64,
            sender: Int64,
            post: String,
            comment: String,
            text: String,
            isReply: Bool,
            id: UUID = UUID()
        ) {
            self.app = app
            self.account = account
            self.sender = sender
            self.post = post
            self.comment = comment
            self.text = text
            self.isReply = isReply
            self.id = id
        }
    }

    /// Somebody of Seoul Culture follows another, and has not before.
    package struct Followed: Event, Equatable {
        package static let name = "community.followed"

        package var app: App
        /// Who is followed, and to hear of it.
        package var account: Int64
        /// Who follows.
        package var sender: Int64
        /// One alert per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(app: App, account: Int64, sender: Int64, id: UUID = UUID()) {
            self.app = app
            self.account = account
            self.sender = sender
            self.id = id
        }
    }
}
