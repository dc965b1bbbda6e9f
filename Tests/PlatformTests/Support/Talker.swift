import NIOHTTP1
import Testing

@testable import Stack
@testable import StackKit

/// A client and the post that a chat is about.
struct Talker: Sendable {
    var phone: Companion
    var post: Int64

    private static let offer = #"""
        {"gender":true,"age":"40세 이상","requests":["사진 촬영"],"region":"강릉","date":"2099-01-25T14:30",
         "price":10000,"title":"경포에서 같이 걸어요","content":"사진도 찍어 주세요"}
        """#

    /// The author of a post, and a guest who opens a chat.
    static func meet(_ platform: Platform) async throws -> (author: Talker, guest: Talker) {
        let author = try await Companion.join(platform, kakao: 11, number: "01011110000", nickname: "하루")
        let guest = try await Companion.join(platform, kakao: 12, number: "01022220000", nickname: "나무")
        try await author.result(.POST, "posts", offer)
        let post = try #require(try await guest.result(.GET, "posts?region=&date=")["posts"]?[0]?.number("postId"))
        return (Talker(author, post), Talker(guest, post))
    }

    init(_ phone: Companion, _ post: Int64) {
        self.phone = phone
        self.post = post
    }

    func socket() async throws -> TextSocket {
        let ticket = try await phone.result(.GET, "user-id").number("userId")
        return try await TextSocket(phone.platform.gateway, "/chat?userId=\(ticket)")
    }

    /// The room ids of the post's detail.
    func ids() async throws -> JSON {
        try #require(try await phone.result(.GET, "posts/\(post)")["chatRoomInfoPost"])
    }

    func create(_ text: String, on socket: TextSocket) async throws {
        let ids = try await ids()
        try await socket.send(
            """
            {"type":"CREATE","ownerChatRoomId":"NO","peerChatRoomId":"NO","senderId":\(ids.number("ownerId")),
             "receiverId":\(ids.number("writerId")),"postId":\(post),"content":"\(text)"}
            """
        )
    }

    func write(_ text: String, in room: JSON, peerCopy: String? = nil, on socket: TextSocket) async throws {
        try await socket.send(
            """
            {"type":"MESSAGE","ownerChatRoomId":"\(room.text("ownerChatRoomId"))",
             "peerChatRoomId":"\(peerCopy ?? room.text("peerChatRoomId"))","senderId":\(room.number("chatOwnerId")),
             "receiverId":\(room.number("chatPeerId")),"postId":\(post),"content":"\(text)"}
            """
        )
    }

    func rooms() async throws -> [JSON] {
        try await phone.result(.GET, "chatrooms")["chatRooms"]?.elements ?? []
    }

    func log(of room: JSON) async throws -> [JSON] {
        let path = try "chatrooms/\(room.text("ownerChatRoomId"))"
        return try await phone.result(.GET, path)["chatMessages"]?.elements ?? []
    }

    func enter(_ room: JSON) async throws {
        try await phone.result(.PATCH, "chatrooms/join/\(room.text("ownerChatRoomId"))")
    }

    func exit(_ room: JSON) async throws {
        try await phone.result(.PATCH, "chatrooms/exit/\(room.text("ownerChatRoomId"))")
    }
}
