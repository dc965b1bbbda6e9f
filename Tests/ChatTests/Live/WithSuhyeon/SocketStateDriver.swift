import Contracts
import FoundationEssentials
import Profiles
import TestKit

@testable import Chat

/// A socket of account 1 without I/O. Its room 5 is shared with account 9.
struct SocketStateDriver {
    typealias State = WithSuhyeonSocketState

    var state = State()

    static let view = RoomView(
        room: Room(id: 5, publicID: "0000000000000000000000aa", app: .withsuhyeon, first: 1, second: 9),
        post: nil,
        createdAt: Date(timeIntervalSince1970: 0),
        updatedAt: Date(timeIntervalSince1970: 0),
        lastSequence: 0,
        ownCopy: "own",
        peerCopy: "peer",
        own: Person(account: 1, app: .withsuhyeon, publicID: "", nickname: "하루"),
        peer: Person(account: 9, app: .withsuhyeon, publicID: "", nickname: "바다"),
        readThrough: 0,
        peerReadThrough: 0,
        unreadCount: 0,
        lastMessage: nil
    )

    /// A connected socket that shows room 5, and has received its events up to a number.
    static func inRoom(through sequence: Int64) -> Self {
        var driver = Self()
        driver.open(.room(view, after: sequence, through: sequence))
        return driver
    }

    /// A connected socket without a room.
    static func listing() -> Self {
        var driver = Self()
        driver.open(.noRoom)
        return driver
    }

    mutating func open(_ assignment: RoomMembership.Assignment) {
        for event in [.opened, .claimed, .assigned(assignment, [])] as [State.Event] { _ = handle(event) }
    }

    mutating func handle(_ event: State.Event) -> [State.Action] { state.handle(event) }

    static func message(_ sequence: Int64, by sender: AccountID = 9) -> Message {
        Message(
            room: 5,
            sequence: sequence,
            sender: sender,
            content: "\(sequence)",
            createdAt: Date(timeIntervalSince1970: 0)
        )
    }

    static func event(_ sequence: Int64, by sender: AccountID = 9, _ kind: RoomEvent.Kind = .sent) -> RoomEvent {
        RoomEvent(
            sequence: sequence,
            kind: kind,
            at: Date(timeIntervalSince1970: 0),
            message: message(sequence, by: sender)
        )
    }

    static func read(_ after: Int64, _ through: Int64) -> EventRange {
        EventRange(room: 5, after: after, through: through)
    }
}

extension WithSuhyeonSocketState.Action {
    /// Asks whether the events of room 5 up to a number were received.
    static func ping(_ sequence: Int64) -> Self { .ping(RoomPosition(room: 5, sequence: sequence)) }

    /// Sends messages of account 9.
    static func send(_ sequences: Int64...) -> Self {
        .sendMessages(sequences.map { SocketStateDriver.message($0) }, SocketStateDriver.view)
    }
}

extension WithSuhyeonSocketState.Event {
    /// The pong to a ping in room 5.
    static func pong(_ sequence: Int64) -> Self { .pongReceived(RoomPosition(room: 5, sequence: sequence)) }
}
