import Contracts
import FoundationEssentials
import NIOCore
import Profiles
import Sockets

/// A room from the view of one member, in the stream's messages and its app's format. The header `kind` is `event`,
/// `read`, `typing`, `presence` or `gone`.
struct StreamView: Sendable {
    /// As it was when the subscription began.
    let view: RoomView

    init(_ view: RoomView) {
        self.view = view
    }

    var room: Room { view.room }
    var viewer: AccountID { view.own.account }

    /// An event with its number as ID, in the format of `GET …/events`.
    func message(_ event: RoomEvent) -> STOMPMessage {
        switch room.app {
        case .withsuhyeon:
            Self.message("event", id: event.sequence, WithSuhyeonEventBody(event, in: view))
        default:
            Self.message("event", id: event.sequence, EventBody(event, in: room, by: person(event.message.sender)))
        }
    }

    /// An account has read up to a number.
    func read(by account: AccountID, through sequence: Int64) -> STOMPMessage {
        Self.message("read", PersonBody(self, account, sequence: sequence))
    }

    /// An account is typing.
    func typing(by account: AccountID) -> STOMPMessage {
        Self.message("typing", PersonBody(self, account))
    }

    /// An account has entered the room or left it.
    func presence(of account: AccountID, _ isPresent: Bool) -> STOMPMessage {
        Self.message("presence", PersonBody(self, account, isPresent: isPresent))
    }

    /// The room was deleted.
    static var gone: STOMPMessage { message("gone", PersonBody()) }

    fileprivate func person(_ account: AccountID) -> Person {
        account == viewer ? view.own : view.peer
    }

    /// - Parameter id: 0 when it is not an event of the room.
    private static func message(_ kind: String, id: Int64 = 0, _ body: some Encodable) -> STOMPMessage {
        // All bodies can be encoded.
        let json = (try? JSONEncoder().encode(body)) ?? Data("{}".utf8)
        return STOMPMessage(id: id, body: ByteBuffer(bytes: json), headers: [("kind", kind)])
    }
}

/// An action of one member.
private struct PersonBody: Encodable {
    /// The member's public ID in Anlaka.
    var userID: PublicID?
    /// With Suhyeon: `SEND` for the viewer, `RECEIVE` for the other member.
    var type: String?
    var sequence: Int64?
    var isPresent: Bool?

    enum CodingKeys: String, CodingKey {
        case type, sequence
        case userID = "user_id"
        case isPresent = "is_present"
    }

    init() {}

    init(_ view: StreamView, _ account: AccountID, sequence: Int64? = nil, isPresent: Bool? = nil) {
        switch view.room.app {
        case .withsuhyeon: type = account == view.viewer ? "SEND" : "RECEIVE"
        default: userID = view.person(account).publicID
        }
        self.sequence = sequence
        self.isPresent = isPresent
    }
}
