package import Contracts

/// Somebody of an app, as auth told.
package struct Person: Sendable, Equatable {
    package var account: Int64
    package var app: App
    /// 24 lower-case hexadecimal digits: what Anlaka and Seoul Culture call them.
    package var publicID: String
    /// Empty for who has left.
    package var nickname: String
    /// The picture as auth keeps it: a path, or the name of an image that the app has.
    package var image: String?
    package var introduction: String?
    /// The key of With Suhyeon's `Region`; nil until it is known, and in other apps.
    package var region: String?

    package init(
        account: Int64,
        app: App,
        publicID: String,
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

    /// What somebody is called who has left. Anlaka drops what has no name (Anlaka contract 1.7).
    package static let withdrawnName = "탈퇴한 사용자"

    /// What others call them.
    package var shownName: String { nickname.isEmpty ? Self.withdrawnName : nickname }
}
