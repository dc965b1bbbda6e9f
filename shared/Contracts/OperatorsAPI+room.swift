/// The chat service's API for operators. Only the console may call it. It has no texts.
extension OperatorsAPI {
    /// `GET /internal/operators/rooms`: rooms by the time of their last message, newest first. They are chosen among the
    /// rooms that sockets show now and the newest rooms, since rooms are not indexed by time.
    package struct Rooms: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/rooms"
        /// The maximum number of rooms.
        package static let limit = 50

        package var rooms: [RoomSummary]

        package init(rooms: [RoomSummary]) { self.rooms = rooms }
    }

    package struct RoomSummary: Codable, Sendable, Equatable {
        package var id: RoomID
        package var publicID: PublicID
        package var app: App
        package var members: [AccountID]
        /// Number of the last event.
        package var lastSequence: Int64
        /// When the last message was written, or the room was made; seconds since 1970.
        package var updatedAt: Double

        package init(
            id: RoomID,
            publicID: PublicID,
            app: App,
            members: [AccountID],
            lastSequence: Int64,
            updatedAt: Double
        ) {
            (self.id, self.publicID, self.app, self.members) = (id, publicID, app, members)
            (self.lastSequence, self.updatedAt) = (lastSequence, updatedAt)
        }
    }

    /// `GET /internal/operators/rooms/ROOM`: a room by its number, its public id or a member's id of it; 404 if there is
    /// no such room.
    package struct Room: Codable, Sendable, Equatable {
        /// The maximum number of events.
        package static let limit = 50

        package static func path(_ room: String) -> String { "/internal/operators/rooms/\(room)" }

        package var summary: RoomSummary
        package var members: [Member]
        /// The newest ones, in the order of the room.
        package var events: [RoomEvent]

        package init(summary: RoomSummary, members: [Member], events: [RoomEvent]) {
            (self.summary, self.members, self.events) = (summary, members, events)
        }
    }

    package struct Member: Codable, Sendable, Equatable {
        /// The maximum of `unread`.
        package static let unreadLimit = 1000

        package var account: AccountID
        /// Empty for a withdrawn account.
        package var nickname: String
        /// The number of the last event that the member has read.
        package var readThrough: Int64
        /// The other member's messages among the first `unreadLimit` ones after it.
        package var unread: Int
        /// Open sockets that show the room.
        package var sockets: Int

        package init(account: AccountID, nickname: String, readThrough: Int64, unread: Int, sockets: Int) {
            (self.account, self.nickname) = (account, nickname)
            (self.readThrough, self.unread, self.sockets) = (readThrough, unread, sockets)
        }
    }

    package struct RoomEvent: Codable, Sendable, Equatable {
        package var sequence: Int64
        /// `sent`, `edited` or `deleted`.
        package var kind: String
        /// The number of the message; that of the event itself for one that was sent.
        package var message: Int64
        package var sender: AccountID
        /// Seconds since 1970.
        package var at: Double
        /// The length of the message's present text in characters, and the number of its files.
        package var length: Int
        package var files: Int
        /// The members other than the sender that have read the event.
        package var readers: Int

        package init(
            sequence: Int64,
            kind: String,
            message: Int64,
            sender: AccountID,
            at: Double,
            length: Int,
            files: Int,
            readers: Int
        ) {
            (self.sequence, self.kind, self.message, self.sender) = (sequence, kind, message, sender)
            (self.at, self.length, self.files, self.readers) = (at, length, files, readers)
        }
    }
}
