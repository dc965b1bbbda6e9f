// The bodies that the app decodes; members that it requires are not optional (Culture contract 1.2).

/// Another user.
package struct CultureUser: Decodable, Sendable {
    package var userId: String
    package var nick: String
    package var profileImage: String?
}

/// The answer to joining and withdrawing.
package struct CultureMember: Decodable, Sendable {
    package var userId: String
    package var email: String
    package var nick: String
}

/// The answer to a sign-in.
package struct CultureSignIn: Decodable, Sendable {
    package var userId: String
    package var email: String
    package var nick: String
    package var profileImage: String?
    package var accessToken: String
    package var refreshToken: String
}

/// The answer to a refresh, which keeps the refresh token.
package struct CultureRefresh: Decodable, Sendable {
    package var accessToken: String
}

/// A profile.
package struct CultureProfile: Decodable, Sendable {
    package var userId: String
    package var email: String?
    package var nick: String
    package var phoneNum: String?
    package var birthDay: String?
    package var profileImage: String?
    package var followers: [CultureUser]
    package var following: [CultureUser]
    package var posts: [String]
}

/// Users that a search found.
package struct CultureUsers: Decodable, Sendable {
    package var data: [CultureUser]
}

/// The paths of uploaded pictures.
package struct CultureFiles: Decodable, Sendable {
    package var files: [String]
}

/// A comment of a post.
package struct CultureComment: Decodable, Sendable {
    package var commentId: String
    package var content: String
    package var createdAt: String
    package var creator: CultureUser
}

/// A review, or a liked event.
package struct CulturePost: Decodable, Sendable {
    package var postId: String
    package var productId: String?
    package var title: String?
    package var content: String?
    package var content1: String?
    package var content2: String?
    package var content3: String?
    package var content4: String?
    package var content5: String?
    package var price: Int?
    package var createdAt: String
    package var creator: CultureUser
    package var files: [String]
    package var likes: [String]
    package var likes2: [String]
    package var hashTags: [String]
    package var comments: [CultureComment]
}

/// A page of posts.
package struct CulturePostPage: Decodable, Sendable {
    package var data: [CulturePost]
    package var nextCursor: String
}

/// Whether the user likes a post.
package struct CultureLike: Decodable, Sendable {
    package var likeStatus: Bool
}

/// Whether one user follows another.
package struct CultureFollow: Decodable, Sendable {
    package var nick: String
    package var opponentNick: String
    package var followingStatus: Bool
}

/// What a user has given for a post.
package struct CulturePayment: Decodable, Sendable {
    package var buyerId: String
    package var postId: String
    package var merchantUid: String
    package var productName: String
    package var price: Int
    package var paidAt: String
}

/// The payments of a user.
package struct CulturePayments: Decodable, Sendable {
    package var data: [CulturePayment]
}
