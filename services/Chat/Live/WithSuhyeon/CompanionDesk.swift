import AppWire
import Contracts
import FoundationEssentials
import Logging
import People
import ServiceHost

/// Does what frames of With Suhyeon's sockets ask for. What cannot be stored at the moment is tried again for a while, under one
/// name, so that it is neither lost nor written twice.
struct CompanionDesk: Sendable {
    let rooms: Rooms
    let companions: CompanionRooms
    let messages: Messages
    let logger: Logger

    private static let patience = Duration.seconds(30)

    /// Takes a frame.
    ///
    /// - Returns: the room that the sender of a CREATE is to be told of.
    /// - Throws: why it has no effect.
    func take(_ frame: CompanionFrame, of account: Int64) async throws(DroppedFrame) -> RoomView? {
        guard frame.senderId == account else { throw .forged }
        guard !frame.content.isEmpty else { throw .malformed }
        let name = UUID().uuidString
        switch frame.type {
        case "MESSAGE":
            guard let copy = frame.ownerChatRoomId else { throw .malformed }
            try await patiently {
                let room = try await rooms.room(ofCopy: copy, of: account)
                try await write(frame.content, in: room, by: account, as: name)
            }
            return nil
        case "CREATE":
            guard let post = frame.postId, let author = frame.receiverId else { throw .malformed }
            return try await patiently(noRoom: .noPost) {
                let room = try await companions.room(about: post, by: account, with: author)
                try await write(frame.content, in: room, by: account, as: name)
                return try await rooms.view(room.id, for: account)
            }
        default:
            throw .unknownType
        }
    }

    private func write(_ content: String, in room: Room, by account: Int64, as name: String) async throws {
        let draft = MessageDraft(
            room: room.id,
            sender: account,
            content: content,
            clientID: name,
            limit: MessageDraft.companionContentLimit
        )
        _ = try await messages.send(draft)
    }

    private func patiently<Value: Sendable>(
        noRoom: DroppedFrame = .noRoom,
        _ body: () async throws -> Value
    ) async throws(DroppedFrame) -> Value {
        let end = ContinuousClock.now + Self.patience
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
                    logger.error("a frame could not be taken", error: error)
                    throw .failed
                }
                guard ContinuousClock.now < end else {
                    logger.error("a message could not be stored", error: error)
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
