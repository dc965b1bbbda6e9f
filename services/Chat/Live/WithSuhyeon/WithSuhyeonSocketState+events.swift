import Contracts
import NIOCore

extension WithSuhyeonSocketState {
    enum Event: Sendable {
        /// The ticket was verified.
        case opened
        /// The ticket of a socket that comes from another copy of the service was verified.
        case resumed
        case claimed
        /// The account may have a newer socket, or have joined or left a room.
        case assignmentChanged
        /// Notifications may have been missed.
        case notificationsMissed
        /// The rooms are those of which notifications may have been missed.
        case assigned(RoomMembership.Assignment, [RoomProgress])
        /// A room of the account has events up to a number.
        case announced(room: RoomID, through: Int64)
        /// The range that was read, which may end before the one that was asked for.
        case eventsRead(EventRange, [RoomEvent])
        /// The client has sent the pong to a ping.
        case pongReceived(RoomPosition)
        case recorded(RoomPosition)
        /// The list is nil when other members have written nothing.
        case listRead(RoomList?)
        case listPauseEnded
        /// The session was revoked, or the account withdrawn.
        case sessionEnded
        /// `isNormal`: by the client, properly.
        case closed(isNormal: Bool)
    }

    /// Operations are executed one after the other.
    enum Action: Equatable {
        /// Makes this the account's active socket. Followed by `claimed`.
        case claim
        /// Followed by `assigned`. `showing` is the room, 0 for none; nil when the socket is not active. With `resync`
        /// the rooms are read, and the joined room is entered again.
        case readAssignment(showing: RoomPosition?, resync: Bool)
        /// Followed by `eventsRead`.
        case readEvents(EventRange)
        case sendMessages([Message], RoomView)
        /// The pong says that the client has received the events of its room up to a number.
        case ping(RoomPosition)
        /// Stores that the client has received the events of its room. Followed by `recorded`.
        case recordShown(RoomPosition)
        /// Reads the list if other members have written after these numbers. Followed by `listRead`.
        case readList(after: [RoomID: Int64])
        case sendList(ByteBuffer)
        /// Followed by `listPauseEnded`.
        case pauseList(TimeAmount)
        case close
        /// `shown` is what the client has received; nil when the socket was not active.
        case release(shown: RoomPosition?, leavesRoom: Bool)
    }

    struct RoomList {
        var frame: ByteBuffer
        /// The last events of the rooms in it.
        var shown: [RoomPosition]
    }
}
