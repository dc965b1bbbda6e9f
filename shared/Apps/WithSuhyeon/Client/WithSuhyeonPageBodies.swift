// The bodies that the app decodes; members that it requires are not optional (With Suhyeon contract 1.3).

/// Where and when two users meet.
package struct WithSuhyeonPostInfo: Decodable, Sendable {
    package var region: String
    package var gender: Bool
    package var age: String
    package var date: String
    package var requests: [String]
}

/// The rooms about a post.
package struct WithSuhyeonPostRooms: Decodable, Sendable {
    package var postId: Int64
    package var ownerId: Int64
    package var writerId: Int64
    package var ownerChatRoomId: String
    package var peerChatRoomId: String
}

/// The page of a post.
package struct WithSuhyeonPostPage: Decodable, Sendable {
    package var title: String
    package var content: String
    package var nickname: String
    package var createdAt: String
    package var profileImage: String
    package var price: Int
    package var owner: Bool
    package var matching: Bool
    package var isExpired: Bool
    package var postDetailInfo: WithSuhyeonPostInfo
    package var chatRoomInfoPost: WithSuhyeonPostRooms
}

/// A room in the list, all of whose members the app requires.
package struct WithSuhyeonRoom: Decodable, Sendable {
    package var ownerChatRoomId: String
    package var peerChatRoomId: String
    package var postId: Int64
    package var chatOwnerId: Int64
    package var chatPeerId: Int64
    package var chatPeerNickname: String
    package var chatPeerProfileImage: String
    package var lastChatMessage: String
    package var lastChatAt: String
    package var unReadCount: Int
    package var postTitle: String
    package var postPlace: String
    package var postCost: String
}

/// The rooms of a user.
package struct WithSuhyeonRooms: Decodable, Sendable {
    package var chatRooms: [WithSuhyeonRoom]
}

/// A message of a room.
package struct WithSuhyeonMessage: Decodable, Sendable {
    package var type: String
    package var content: String
    package var timestamp: String
    package var isRead: Bool
}

/// The messages of a room.
package struct WithSuhyeonMessages: Decodable, Sendable {
    package var chatMessages: [WithSuhyeonMessage]
}

/// The own page.
package struct WithSuhyeonProfile: Decodable, Sendable {
    package var nickname: String
    package var profileImage: String
}

/// The blocked numbers.
package struct WithSuhyeonBlocks: Decodable, Sendable {
    package var nickname: String
    package var phoneNumbers: [String]
}

/// The own region.
package struct WithSuhyeonPreference: Decodable, Sendable {
    package var region: String
}

/// The own number.
package struct WithSuhyeonPhone: Decodable, Sendable {
    package var phoneNumber: String
}
