// The bodies that the app decodes; members that it requires are not optional (With Suhyeon contract 1.3).

/// The answer to a sign-in at a provider.
package struct WithSuhyeonSocialSignIn: Decodable, Sendable {
    package var isUser: Bool
    package var userId: Int64
    package var accessToken: String?
    package var refreshToken: String?
}

/// A ticket for the socket.
package struct WithSuhyeonTicket: Decodable, Sendable {
    package var userId: Int64
}

/// The answer to a sign-in by phone.
package struct WithSuhyeonTokens: Decodable, Sendable {
    package var accessToken: String
    package var refreshToken: String
}

/// A part of the country.
package struct WithSuhyeonRegion: Decodable, Sendable {
    package var location: String
    package var subLocations: [String]
}

/// All parts of the country.
package struct WithSuhyeonRegions: Decodable, Sendable {
    package var regions: [WithSuhyeonRegion]
}

/// A category of pictures.
package struct WithSuhyeonCategory: Decodable, Sendable {
    package var imageUrl: String
    package var category: String
}

/// All categories of pictures.
package struct WithSuhyeonCategories: Decodable, Sendable {
    package var categories: [WithSuhyeonCategory]
}

/// A post on the home screen.
package struct WithSuhyeonHomePost: Decodable, Sendable {
    package var postId: Int64
    package var title: String
    package var price: Int
    package var age: String
    package var gender: Bool
    package var date: String
    package var matching: Bool
}

/// The home screen, which does not read the nickname.
package struct WithSuhyeonHome: Decodable, Sendable {
    package var count: Int
    package var region: String
    package var homePosts: [WithSuhyeonHomePost]
}

/// A post in the list.
package struct WithSuhyeonPostItem: Decodable, Sendable {
    package var postId: Int64
    package var title: String
    package var price: Int
    package var age: String
    package var gender: Bool
    package var date: String
    package var matching: Bool
    package var isExpired: Bool
}

/// The list of posts.
package struct WithSuhyeonPostList: Decodable, Sendable {
    package var region: String
    package var days: [String]
    package var posts: [WithSuhyeonPostItem]
}

/// An own post.
package struct WithSuhyeonOwnPost: Decodable, Sendable {
    package var postId: Int64
    package var title: String
    package var region: String
    package var date: String
    package var createdDate: String
    package var matching: Bool
}

/// The own posts.
package struct WithSuhyeonOwnPosts: Decodable, Sendable {
    package var userPosts: [WithSuhyeonOwnPost]
}

/// A picture in a list.
package struct WithSuhyeonPicture: Decodable, Sendable {
    package var galleryId: Int
    package var imageUrl: String
    package var title: String
}

/// The pictures of the gallery.
package struct WithSuhyeonPictures: Decodable, Sendable {
    package var galleries: [WithSuhyeonPicture]
}

/// The own pictures.
package struct WithSuhyeonOwnPictures: Decodable, Sendable {
    package var userGalleries: [WithSuhyeonPicture]
}

/// The page of a picture.
package struct WithSuhyeonPicturePage: Decodable, Sendable {
    package var imageUrl: String
    package var category: String
    package var title: String
    package var profileImage: String
    package var nickname: String
    package var createdAt: String
    package var content: String
    package var owner: Bool
}
