package import FoundationEssentials

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
        /// 24 hexadecimal digits: the id that Anlaka and Seoul Culture show.
        package var publicID: String?
        /// What Anlaka shows beside a name.
        package var introduction: String?

        package var key: String { String(account) }

        package init(
            account: Int64,
            app: App,
            nickname: String,
            image: String?,
            publicID: String? = nil,
            introduction: String? = nil
        ) {
            self.account = account
            self.app = app
            self.nickname = nickname
            self.image = image
            self.publicID = publicID
            self.introduction = introduction
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
        /// 24 hexadecimal digits: the id that Anlaka and Seoul Culture show.
        package var publicID: String?
        /// What Anlaka shows beside a name.
        package var introduction: String?
        /// MOUP's role, `ROLE_WORKER`, `ROLE_OWNER` or `ROLE_ADMIN`, told at registration; nil keeps what was told.
        package var role: String?
        /// The key of With Suhyeon's region (`Region`); nil keeps what was told.
        package var region: String?

        package var key: String { String(account) }

        package init(
            account: Int64,
            app: App,
            nickname: String,
            image: String?,
            tags: [String]?,
            publicID: String? = nil,
            introduction: String? = nil,
            role: String? = nil,
            region: String? = nil
        ) {
            self.account = account
            self.app = app
            self.nickname = nickname
            self.image = image
            self.tags = tags
            self.publicID = publicID
            self.introduction = introduction
            self.role = role
            self.region = region
        }
    }

    /// Somebody left an app for good: their account is anonymous from now on, and never signs in again. Subscribers erase
    /// what is theirs and make anonymous what others need; nothing that arrives later brings the account back.
    package struct AccountWithdrawn: Event, Equatable {
        package static let name = "auth.account-withdrawn"

        package var account: Int64
        package var app: App

        package var key: String { String(account) }

        package init(account: Int64, app: App) {
            self.account = account
            self.app = app
        }
    }

    /// A phone gave its push token at a sign-in. It belongs to this account from then on, and to no other: events of
    /// different accounts overtake each other, so the latest `at` has it.
    package struct PushTokenReceived: Event, Equatable {
        package static let name = "auth.push-token-received"

        package var account: Int64
        package var app: App
        package var session: String
        package var token: String
        /// When the phone gave it; nil where nobody has said.
        package var at: Date?

        package var key: String { String(account) }

        package init(account: Int64, app: App, session: String, token: String, at: Date? = nil) {
            self.account = account
            self.app = app
            self.session = session
            self.token = token
            self.at = at
        }
    }

    /// Somebody signed in from a device that they had not used before.
    package struct NewDeviceSignedIn: Event, Equatable {
        package static let name = "auth.new-device-signed-in"

        package var account: Int64
        package var app: App
        package var session: String
        /// The device's `User-Agent`.
        package var device: String?

        package var key: String { String(account) }

        package init(account: Int64, app: App, session: String, device: String?) {
            self.account = account
            self.app = app
            self.session = session
            self.device = device
        }
    }

    /// A session ended before its time: by its owner, by theft of its tokens, or with its account. Its access tokens are
    /// worth nothing from now on, whatever they say of their expiry.
    package struct SessionRevoked: Event, Equatable {
        package static let name = "auth.session-revoked"

        package var account: Int64
        /// The tokens' `sid`.
        package var session: String
        package var app: App

        package var key: String { String(account) }

        package init(account: Int64, session: String, app: App) {
            self.account = account
            self.session = session
            self.app = app
        }
    }
}
