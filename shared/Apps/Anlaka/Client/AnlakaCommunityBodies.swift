// The bodies that the app decodes; members that it requires are not optional (Anlaka contract 1.7).

/// A comment without replies.
package struct AnlakaReply: Decodable, Sendable {
    package var commentId: String
    package var content: String
    package var createdAt: String
    package var creator: AnlakaUser
}

/// A comment of a post.
package struct AnlakaComment: Decodable, Sendable {
    package var commentId: String
    package var content: String
    package var createdAt: String
    package var creator: AnlakaUser
    package var replies: [AnlakaReply]
}

/// The page of a post; missing files and comments are none.
package struct AnlakaPost: Decodable, Sendable {
    package var postId: String
    package var category: String
    package var title: String
    package var content: String
    package var geolocation: AnlakaPlace
    package var creator: AnlakaUser
    package var files: [String]?
    package var isLike: Bool
    package var likeCount: Int
    package var comments: [AnlakaComment]?
    package var createdAt: String
    package var updatedAt: String
}

/// A post in a list.
package struct AnlakaPostSummary: Decodable, Sendable {
    package var postId: String
    package var category: String
    package var title: String
    package var content: String
    package var geolocation: AnlakaPlace
    package var creator: AnlakaUser
    package var files: [String]
    package var isLike: Bool
    package var likeCount: Int
    package var createdAt: String
    package var updatedAt: String
}

/// Posts without pages.
package struct AnlakaPostList: Decodable, Sendable {
    package var data: [AnlakaPostSummary]
}

/// A page of posts.
package struct AnlakaPostPage: Decodable, Sendable {
    package var data: [AnlakaPostSummary]
    package var nextCursor: String
}

/// A message of a room.
package struct AnlakaChatMessage: Decodable, Sendable {
    package var chatId: String
    package var roomId: String
    package var content: String
    package var createdAt: String
    package var updatedAt: String
    package var sender: AnlakaUser
    package var files: [String]
}

/// The messages of a room.
package struct AnlakaChatMessages: Decodable, Sendable {
    package var data: [AnlakaChatMessage]
}

/// A room of two users.
package struct AnlakaChatRoom: Decodable, Sendable {
    package var roomId: String
    package var createdAt: String
    package var updatedAt: String
    package var participants: [AnlakaUser]
    package var lastChat: AnlakaChatMessage?
}

/// The rooms of a user.
package struct AnlakaChatRooms: Decodable, Sendable {
    package var data: [AnlakaChatRoom]
}

/// A new order.
package struct AnlakaOrder: Decodable, Sendable {
    package var orderId: String
    package var orderCode: String
    package var totalPrice: Int
    package var createdAt: String
    package var updatedAt: String
}

/// The listing of an order; the app takes the current time for its dates.
package struct AnlakaOrderEstate: Decodable, Sendable {
    package var id: String
    package var category: String
    package var title: String
    package var introduction: String
    package var thumbnails: [String]
    package var deposit: Double
    package var monthlyRent: Double
    package var builtYear: String
    package var area: Double
    package var floors: Int
    package var geolocation: AnlakaPlace
}

/// A paid order.
package struct AnlakaOrderItem: Decodable, Sendable {
    package var orderId: String
    package var orderCode: String
    package var estate: AnlakaOrderEstate
    package var paidAt: String
    package var createdAt: String
    package var updatedAt: String
}

/// A valid payment.
package struct AnlakaPayment: Decodable, Sendable {
    package var paymentId: String
    package var orderItem: AnlakaOrderItem
    package var createdAt: String
    package var updatedAt: String
}
