import Contracts
import FoundationEssentials
import Metrics
import NIOCore

/// A frame sent by With Suhyeon's app (contract 2.2). Its room IDs are not trusted: `ownerChatRoomId` must be the
/// sender's.
struct WithSuhyeonFrame: Decodable, Sendable {
    var type: String
    /// The sender's ID of the room; `NO` in CREATE.
    var ownerChatRoomId: String?
    var senderId: AccountID
    /// In CREATE, the author of the post.
    var receiverId: AccountID?
    var postId: CompanionPostID?
    var content: String

    init(_ bytes: ByteBuffer) throws(DroppedFrame) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes.readableBytesView))
        } catch {
            throw .malformed
        }
        // PostgreSQL cannot store NUL.
        content.unicodeScalars.removeAll { $0.value == 0 }
    }
}

/// Why a frame was dropped. Errors are not sent: the app fails on unknown frames (contract 2.3).
enum DroppedFrame: String, Error, Sendable {
    case binary
    case malformed
    case unknownType = "unknown_type"
    /// The sender ID is not the caller's.
    case forged
    /// The room does not exist, or the sender is no member.
    case noRoom = "no_room"
    /// The post does not exist, or is not the receiver's.
    case noPost = "no_post"
    case blocked
    /// The other member has withdrawn.
    case noReceiver = "no_receiver"
    /// The database or another service was unavailable for too long.
    case notStored = "not_stored"
    /// An unexpected error.
    case failed

    func count() {
        Counter(label: "chat_frames_dropped_total", dimensions: [("reason", rawValue)]).increment()
    }
}
