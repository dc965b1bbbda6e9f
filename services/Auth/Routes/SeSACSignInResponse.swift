import Contracts

/// The response to a sign-in with a `SeSACKey` (Anlaka contract 2.1, call 3; Culture contract 2, call 2). Fields
/// without a value are omitted.
struct SeSACSignInResponse: Encodable {
    var userID: PublicID
    var email: String
    var nick: String
    var profileImage: String?
    var accessToken: String
    var refreshToken: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, profileImage, accessToken, refreshToken
    }

    init(_ signedIn: Accounts.SignedIn) {
        let (account, tokens) = (signedIn.account, signedIn.tokens)
        self.userID = account.publicID
        self.email = account.email?.text ?? ""
        self.nick = account.nickname
        self.profileImage = account.image
        self.accessToken = tokens.accessToken
        self.refreshToken = tokens.refreshToken
    }
}
