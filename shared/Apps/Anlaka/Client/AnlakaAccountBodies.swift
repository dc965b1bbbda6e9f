// The bodies that the app decodes; members that it requires are not optional (Anlaka contract 1.7).

/// Another user.
package struct AnlakaUser: Decodable, Sendable {
    package var userId: String
    package var nick: String
    package var introduction: String?
    package var profileImage: String?
}

/// The answer to a sign-in and to joining.
package struct AnlakaSignIn: Decodable, Sendable {
    package var userId: String
    package var email: String
    package var nick: String
    package var profileImage: String?
    package var accessToken: String
    package var refreshToken: String
}

/// The own profile.
package struct AnlakaProfile: Decodable, Sendable {
    package var userId: String
    package var email: String
    package var nick: String
    package var profileImage: String?
    package var phoneNum: String?
    package var introduction: String?
}

/// The path of an uploaded picture.
package struct AnlakaProfileImage: Decodable, Sendable {
    package var profileImage: String
}

/// A text for people.
package struct AnlakaMessage: Decodable, Sendable {
    package var message: String
}

/// The paths of uploaded files.
package struct AnlakaFiles: Decodable, Sendable {
    package var files: [String]
}

/// Whether the user likes something.
package struct AnlakaLike: Decodable, Sendable {
    package var likeStatus: Bool
}

/// The pair of a refresh.
package struct AnlakaTokens: Decodable, Sendable {
    package var accessToken: String
    package var refreshToken: String
}
