package import Contracts

/// A user in Anlaka's format (contract 1.7, UserInfo). Fields without a value are omitted.
package struct UserInfo: Encodable, Sendable {
    package var userID: PublicID
    package var nick: String
    package var introduction: String?
    package var profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, introduction, profileImage
    }

    package init(_ person: Person) {
        userID = person.publicID
        nick = person.shownName
        introduction = person.introduction
        profileImage = person.image
    }
}
