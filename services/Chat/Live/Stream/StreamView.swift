import Contracts
import FoundationEssentials
import NIOCore
import People
import STOMP

/// A room as one of the two reads it on the stream, in the words of its app. The header `kind` says what a message is:
/// `event`, `read`, `typing`, `presence` or `gone`.
struct StreamView: Sendable {
    /// As it was when the subscription began.
    let view: RoomView

    init(_ view: RoomView) {
        self.view = view
    }

    var room: Room { view.room }
    var viewer: Int64 { view.own.account }

    /// Something that happened, under its number, as `GET …/events` shows it.
    func message(_ event: RoomEvent) -> STOMPMessage {
        switch room.app {
        case .withsuhyeon:
            Self.message("event", id: event.sequence, CompanionEventBody(event, in: view))
        default:
            Self.message("event", id: event.sequence, EventBody(event, in: room, by: person(event.message.sender)))
        }
    }

    /// Somebody has read up to a number.
    func read(by account: Int64, through sequence: Int64) -> STOMPMessage {
        Self.message("read", PersonBody(self, account, sequence: sequence))
    }

    /// Somebody is writing.
    func typing(by account: Int64) -> STOMPMessage {
        Self.message("typing", PersonBody(self, account))
    }

    /// Somebody came, or went.
    func presence(of account: Int64, _ isThere: Bool) -> STOMPMessage {
        Self.message("presence", PersonBody(self, account, isPresent: isThere))
    }

    /// The room is no more.
    var gone: STOMPMessage { Self.message("gone", PersonBody()) }

    fileprivate func person(_ account: Int64) -> Person {
        account == viewer ? view.own : view.peer
    }

    /// - Parameter id: 0 where it has no place among what happened.
    private static func message(_ kind: String, id: Int64 = 0, _ body: some Encodable) -> STOMPMessage {
        // No body here holds anything that JSON has no form for.
        let json = (try? JSONEncoder().encode(body)) ?? Data("{}".utf8)
        return STOMPMessage(id: id, body: ByteBuffer(bytes: json), headers: [("kind", kind)])
    }
}

/// What one of the two does.
private struct PersonBody: Encodable {
    /// Anlaka's name of them.
    var userID: String?
    /// With Suhyeon's: `SEND` for the viewer, `RECEIVE` for the other.
    var type: String?
    var sequence: Int64?
    var isPresent: Bool?

    enum CodingKeys: String, CodingKey {
        case type, sequence
        case userID = "user_id"
        case isPresent = "is_present"
    }

    init() {}

    init(_ view: StreamView, _ account: Int64, sequence: Int64? = nil, isPresent: Bool? = nil) {
        switch view.room.app {
        case .withsuhyeon: type = account == view.viewer ? "SEND" : "RECEIVE"
        default: userID = view.person(account).publicID
        }
        self.sequence = sequence
        self.isPresent = isPresent
    }
}
