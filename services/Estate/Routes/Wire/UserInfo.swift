/// Somebody as Anlaka shows them (contract 1.7, UserInfo). What has no value is left out.
struct UserInfo: Encodable {
    var userID: String
    var nick: String
    var introduction: String?
    var profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, introduction, profileImage
    }

    init(_ person: Person) {
        userID = person.publicID
        nick = person.shownName
        introduction = person.introduction
        profileImage = person.image
    }
}
