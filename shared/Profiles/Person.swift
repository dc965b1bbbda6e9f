package import Contracts

/// A user's profile, as received from auth.
package struct Person: Sendable, Equatable {
    package var account: AccountID
    package var app: App
    /// The id that Anlaka and Seoul Culture show.
    package var publicID: PublicID
    /// Empty for a withdrawn account.
    package var nickname: String
    /// The picture as stored by auth: a path, or the name of an image that the app contains.
    package var image: String?
    package var introduction: String?
    /// The key of With Suhyeon's `Region`; nil until it is known, and in other apps.
    package var region: String?

    package init(
        account: AccountID,
        app: App,
        publicID: PublicID,
        nickname: String,
        image: String? = nil,
        introduction: String? = nil,
        region: String? = nil
    ) {
        self.account = account
        self.app = app
        self.publicID = publicID
        self.nickname = nickname
        self.image = image
        self.introduction = introduction
        self.region = region
    }

    /// The name shown for a withdrawn account. Anlaka drops users without a name (Anlaka contract 1.7).
    package static let withdrawnName = "탈퇴한 사용자"

    /// The name shown to other users.
    package var shownName: String { nickname.isEmpty ? Self.withdrawnName : nickname }
}
