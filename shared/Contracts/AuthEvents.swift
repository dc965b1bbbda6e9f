package import FoundationEssentials

/// The events of the auth service.
package enum AuthEvents {
    /// An account was created. Subscribers that display users store the profile.
    package struct AccountRegistered: Event, Equatable {
        package static let name = "auth.account-registered"

        package var account: AccountID
        package var app: App
        package var nickname: String
        /// The picture as the app stores it: an image name (`IMAGE_1`) or a path.
        package var image: String?
        /// The id that Anlaka and Seoul Culture show.
        package var publicID: PublicID?
        /// The introduction that Anlaka shows beside a name.
        package var introduction: String?

        package var key: String { String(account) }

        package init(
            account: AccountID,
            app: App,
            nickname: String,
            image: String?,
            publicID: PublicID? = nil,
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

    /// The public part of a profile changed. The event carries the whole profile, so that a late subscriber needs no
    /// earlier events.
    package struct ProfileChanged: Event, Equatable {
        package static let name = "auth.profile-changed"

        package var account: AccountID
        package var app: App
        package var nickname: String
        package var image: String?
        /// SeatCatcher's user tags (`USERTAG_…`); nil for apps without tags.
        package var tags: [String]?
        /// The id that Anlaka and Seoul Culture show.
        package var publicID: PublicID?
        /// The introduction that Anlaka shows beside a name.
        package var introduction: String?
        /// MOUP's role, `ROLE_WORKER`, `ROLE_OWNER` or `ROLE_ADMIN`, set at registration; nil leaves the earlier value
        /// unchanged.
        package var role: String?
        /// The key of With Suhyeon's region (`Region`); nil leaves the earlier value unchanged.
        package var region: String?

        package var key: String { String(account) }

        package init(
            account: AccountID,
            app: App,
            nickname: String,
            image: String?,
            tags: [String]?,
            publicID: PublicID? = nil,
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

    /// An account was withdrawn: it is anonymous from now on and cannot sign in again. Subscribers erase the account's
    /// data and anonymize data that other users need; no later event restores the account.
    package struct AccountWithdrawn: Event, Equatable {
        package static let name = "auth.account-withdrawn"

        package var account: AccountID
        package var app: App

        package var key: String { String(account) }

        package init(account: AccountID, app: App) {
            self.account = account
            self.app = app
        }
    }

    /// A client sent its push token at sign-in. The token belongs to this account from now on, and to no other.
    package struct PushTokenReceived: Event, Equatable {
        package static let name = "auth.push-token-received"

        package var account: AccountID
        package var app: App
        package var session: String
        package var token: String
        /// When the client sent the token. If two accounts send the same token, the later one owns it; events of
        /// different accounts are not ordered.
        package var at: Date?

        package var key: String { String(account) }

        package init(account: AccountID, app: App, session: String, token: String, at: Date? = nil) {
            self.account = account
            self.app = app
            self.session = session
            self.token = token
            self.at = at
        }
    }

    /// A user signed in on a new device.
    package struct NewDeviceSignedIn: Event, Equatable {
        package static let name = "auth.new-device-signed-in"

        package var account: AccountID
        package var app: App
        package var session: String
        /// The device's `User-Agent`.
        package var device: String?

        package var key: String { String(account) }

        package init(account: AccountID, app: App, session: String, device: String?) {
            self.account = account
            self.app = app
            self.session = session
            self.device = device
        }
    }

    /// A session's refresh token was used from an address and by a `User-Agent` that the session did not have before.
    package struct SessionUsedElsewhere: Event, Equatable {
        package static let name = "auth.session-used-elsewhere"

        package var account: AccountID
        package var app: App
        package var session: String
        /// The device's `User-Agent`.
        package var device: String?

        package var key: String { String(account) }

        package init(account: AccountID, app: App, session: String, device: String?) {
            self.account = account
            self.app = app
            self.session = session
            self.device = device
        }
    }

    /// A session ended before its expiry: by sign-out, by theft of its tokens, or with its account. Its access tokens
    /// are invalid from now on, regardless of their expiry.
    package struct SessionRevoked: Event, Equatable {
        package static let name = "auth.session-revoked"

        package var account: AccountID
        /// The `sid` claim of the tokens.
        package var session: String
        package var app: App

        package var key: String { String(account) }

        package init(account: AccountID, session: String, app: App) {
            self.account = account
            self.session = session
            self.app = app
        }
    }
}
