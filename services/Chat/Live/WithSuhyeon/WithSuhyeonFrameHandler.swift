import Apps
import Contracts
import FoundationEssentials
import Logging
import Profiles
import ServiceKit

/// Handles the frames of With Suhyeon's sockets. A message that cannot be stored is retried for `timeout` with the
/// same client ID, so it is written once.
struct WithSuhyeonFrameHandler: Sendable {
    let rooms: Rooms
    let companions: WithSuhyeonRooms
    let messages: Messages
    let logger: Logger

    private static let timeout = Duration.seconds(30)

    /// Handles a frame.
    ///
    /// - Returns: The room to report to the sender of a CREATE.
    /// - Throws: The reason why the frame is dropped.
    func handle(_ frame: WithSuhyeonFrame, of account: AccountID) async throws(DroppedFrame) -> RoomView? {
        guard frame.senderId == account else { throw .forged }
        guard !frame.content.isEmpty else { throw .malformed }
        let clientID = UUID().uuidString
        switch frame.type {
        case "MESSAGE":
            guard let copy = frame.ownerChatRoomId else { throw .malformed }
            try await retrying {
                let copy = try PublicID(parsing: copy, else: ChatError.roomNotFound)
                let room = try await rooms.room(ofCopy: copy, of: account)
                try await write(frame.content, in: room, by: account, clientID: clientID)
            }
            return nil
        case "CREATE":
            guard let post = frame.postId, let author = frame.receiverId else { throw .malformed }
            return try await retrying(noRoom: .noPost) {
                let room = try await companions.room(about: post, by: account, with: author)
                try await write(frame.content, in: room, by: account, clientID: clientID)
                return try await rooms.view(room.id, for: account)
            }
        default:
            throw .unknownType
        }
    }

    private func write(_ content: String, in room: Room, by account: AccountID, clientID: String) async throws {
        let draft = MessageDraft(
            room: room.id,
            sender: account,
            content: content,
            clientID: clientID,
            limit: nil
        )
        _ = try await messages.send(draft)
    }

    private func retrying<Value: Sendable>(
        noRoom: DroppedFrame = .noRoom,
        _ body: () async throws -> Value
    ) async throws(DroppedFrame) -> Value {
        let end = ContinuousClock.now + Self.timeout
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await body()
            } catch let error as ChatError {
                throw Self.reason(error, noRoom: noRoom)
            } catch is PersonUnknown {
                throw .noReceiver
            } catch {
                guard (error as? any ProblemConvertible)?.problem.kind == .unavailable else {
                    logger.error("With Suhyeon sockets: a frame could not be handled", error: error)
                    throw .failed
                }
                guard ContinuousClock.now < end else {
                    logger.error("With Suhyeon sockets: a message could not be stored before the timeout", error: error)
                    throw .notStored
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    private static func reason(_ error: ChatError, noRoom: DroppedFrame) -> DroppedFrame {
        switch error {
        case .roomNotFound, .notAMember, .messageNotFound, .notYours: noRoom
        case .personNotFound: .noReceiver
        case .blocked: .blocked
        case .rule: .malformed
        }
    }
}
