import FoundationEssentials
import Metrics
import NIOCore

/// What With Suhyeon's app sends (contract 2.2). Of the seven fields the two that name rooms' sides are believed only as far as
/// they are the sender's own.
struct CompanionFrame: Decodable, Sendable {
    var type: String
    /// The sender's side of the room; `NO` in CREATE.
    var ownerChatRoomId: String?
    var senderId: Int64
    /// The post's author in CREATE.
    var receiverId: Int64?
    var postId: Int64?
    var content: String

    init(_ bytes: ByteBuffer) throws(DroppedFrame) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(bytes.readableBytesView))
        } catch {
            throw .malformed
        }
        // It cannot be stored.
        content.unicodeScalars.removeAll { $0.value == 0 }
    }
}

/// Why a frame has no effect. The app would not survive a frame that tells it so (contract 2.3).
enum DroppedFrame: String, Error, Sendable {
    case binary
    case malformed
    case unknownType = "unknown_type"
    /// In somebody else's name.
    case forged
    /// A room that is not the sender's, or is no more.
    case noRoom = "no_room"
    /// A post that is not there, or not the receiver's.
    case noPost = "no_post"
    case blocked
    /// The other has left.
    case noReceiver = "no_receiver"
    /// The database, or another service, did not answer for too long.
    case notStored = "not_stored"
    /// A defect.
    case failed

    func count() {
        Counter(label: "chat_frames_dropped_total", dimensions: [("reason", rawValue)]).increment()
    }
}
