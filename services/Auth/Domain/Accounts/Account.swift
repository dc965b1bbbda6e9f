import Contracts

/// A user's account in one app.
struct Account: Sendable, Equatable {
    var id: AccountID
    /// 24 lower-case hexadecimal digits, for the apps that use such ids.
    var publicID: PublicID
    var app: App
    var nickname: String
    /// An image name or a path, depending on the app; nil until the user chooses one.
    var image: String?
    var email: EmailAddress?
    var phone: String?
    var introduction: String?
    var onboarded = false
}

/// The values of an account to be created.
struct NewAccount: Sendable {
    var publicID = PublicID.random()
    var app: App
    var nickname: String
    var image: String?
    var email: EmailAddress?
    var phone: String?
    var introduction: String?
    /// In the app's own format.
    var birthDay: String?
}
