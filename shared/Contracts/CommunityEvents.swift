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
}
