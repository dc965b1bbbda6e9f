import Contracts

/// A person in one app.
struct Account: Sendable, Equatable {
    var id: Int64
    /// 24 lower-case hexadecimal digits, for the apps whose ids look so.
    var publicID: String
    var app: App
    var nickname: String
    /// An image name or a path, as the app stores it; nil until one is chosen.
    var image: String?
    var email: EmailAddress?
    var phone: String?
    var introduction: String?
    var onboarded = false
}

/// An account that is about to be.
struct NewAccount: Sendable {
    var publicID = PublicID.random()
    var app: App
    var nickname: String
    var image: String?
    var email: EmailAddress?
    var phone: String?
    var introduction: String?
    /// As the app writes it.
    var birthDay: String?
}
