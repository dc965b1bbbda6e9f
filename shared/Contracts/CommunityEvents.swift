package import FoundationEssentials

/// The events of the community service.
package enum CommunityEvents {
    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`). Published for each
    /// withdrawal event received, even if there was no data.
    package struct AccountErased: Event, Equatable {
        package static let name = "community.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }

    /// A companion post of With Suhyeon was deleted; conversations about it are deleted with it.
    package struct CompanionPostDeleted: Event, Equatable {
        package static let name = "community.companion-post-deleted"

        package var post: CompanionPostID

        package var key: String { String(post) }

        package init(post: CompanionPostID) {
            self.post = post
        }
    }

    /// A user of Anlaka or Seoul Culture wrote a comment. The event addresses the author of the post or the author of
    /// the parent comment; a user who is both gets one event, and no user gets one for their own comment.
    package struct CommentWritten: Event, Equatable {
        package static let name = "community.comment-written"

        package var app: App
        /// The recipient of the notification.
        package var account: AccountID
        /// The author of the comment.
        package var sender: AccountID
        /// The post's public id.
        package var post: PublicID
        /// The comment's public id.
        package var comment: PublicID
        package var text: String
        /// Whether it is a reply to a comment of the recipient; otherwise it is a comment on the recipient's post.
        package var isReply: Bool
        /// The id of the notification; one notification is shown per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(
            app: App,
            account: AccountID,
            sender: AccountID,
            post: PublicID,
            comment: PublicID,
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

    /// A user of Seoul Culture followed another user for the first time.
    package struct Followed: Event, Equatable {
        package static let name = "community.followed"

        package var app: App
        /// The followed user, who receives the notification.
        package var account: AccountID
        /// The follower.
        package var sender: AccountID
        /// The id of the notification; one notification is shown per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(app: App, account: AccountID, sender: AccountID, id: UUID = UUID()) {
            self.app = app
            self.account = account
            self.sender = sender
            self.id = id
        }
    }
}
