/// Somebody as Anlaka shows them (contract 1.7, UserInfo). What has no value is left out.
package struct UserInfo: Encodable, Sendable {
    package var userID: String
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
