/// What the auth service announces.
package enum AuthEvents {
    /// An account came into being. Subscribers that show people keep the profile.
    package struct AccountRegistered: Event, Equatable {
        package static let name = "auth.account-registered"

        package var account: Int64
        package var app: App
        package var nickname: String
        /// What the app stores as the picture: an image name (`IMAGE_1`) or a path.
        package var image: String?

        package var key: String { String(account) }

        package init(account: Int64, app: App, nickname: String, image: String?) {
            self.account = account
            self.app = app
            self.nickname = nickname
            self.image = image
        }
    }

    /// The visible part of a profile changed; carries the whole of it, so that a late reader needs no history.
    package struct ProfileChanged: Event, Equatable {
        package static let name = "auth.profile-changed"

        package var account: Int64
        package var app: App
        package var nickname: String
        package var image: String?
        /// SeatCatcher's user tags (`USERTAG_…`); nil for apps without tags.
        package var tags: [String]?

        package var key: String { String(account) }

        package init(account: Int64, app: App, nickname: String, image: String?, tags: [String]?) {
            self.account = account
            self.app = app
            self.nickname = nickname
            self.image = image
            self.tags = tags
        }
    }
}
