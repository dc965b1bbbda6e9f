import NIOCore
import TestKit
import Testing

@testable import Chat

/// A socket that shows the list of rooms (contract 2.3, rule 3).
@Suite struct SocketStateListTests {
    typealias Driver = SocketStateDriver

    private static func list(_ name: String, _ shown: RoomPosition...) -> Driver.State.RoomList {
        .init(frame: ByteBuffer(string: name), shown: shown)
    }

    private static func sent(_ name: String) -> [Driver.State.Action] {
        [.sendList(ByteBuffer(string: name)), .pauseList(.milliseconds(300))]
    }

    @Test func announced_inABurst_sendsOneListWithTheLast() {
        var socket = Driver.listing()
        var reads = (1...20).map { socket.handle(.announced(room: 6, through: $0)) }
        #expect(reads[0] == [.readList(after: [6: 0])])
        #expect(reads[1...].joined().isEmpty)
        let first = socket.handle(.listRead(Self.list("first", RoomPosition(room: 6, sequence: 12))))
        #expect(first == Self.sent("first"))
        reads = (21...40).map { socket.handle(.announced(room: 6, through: $0)) }
        #expect(reads.joined().isEmpty)
        let next = socket.handle(.listPauseEnded)
        #expect(next == [.readList(after: [6: 12])])
        let second = socket.handle(.listRead(Self.list("second", RoomPosition(room: 6, sequence: 40))))
        #expect(second == Self.sent("second"))
        let end = socket.handle(.listPauseEnded)
        #expect(end == [])
    }

    @Test func listRead_withLaterEvents_isNotReadAgain() {
        var socket = Driver.listing()
        _ = socket.handle(.announced(room: 6, through: 1))
        _ = socket.handle(.listRead(Self.list("list", RoomPosition(room: 6, sequence: 3))))
        _ = socket.handle(.announced(room: 6, through: 3))
        let end = socket.handle(.listPauseEnded)
        #expect(end == [])
    }

    @Test func listRead_withoutMessagesOfOthers_sendsNothing() {
        var socket = Driver.listing()
        _ = socket.handle(.announced(room: 6, through: 1))
        let own = socket.handle(.listRead(nil))
        #expect(own == [])
        let next = socket.handle(.announced(room: 6, through: 2))
        #expect(next == [.readList(after: [6: 1])])
    }

    @Test func listRead_inARoom_isSentAfterTheExit() {
        var socket = Driver.listing()
        _ = socket.handle(.announced(room: 6, through: 1))
        _ = socket.handle(.assignmentChanged)
        _ = socket.handle(.assigned(.room(Driver.view, after: 0, through: 0), []))
        let late = socket.handle(.listRead(Self.list("late", RoomPosition(room: 6, sequence: 1))))
        #expect(late == [])
        let announced = socket.handle(.announced(room: 6, through: 2))
        #expect(announced == [])
        _ = socket.handle(.assignmentChanged)
        let exited = socket.handle(.assigned(.noRoom, []))
        #expect(exited == [.readList(after: [6: 0])])
    }

    @Test func listRead_duringALookupIsReadAgain() {
        var socket = Driver.listing()
        _ = socket.handle(.announced(room: 6, through: 1))
        _ = socket.handle(.assignmentChanged)
        let late = socket.handle(.listRead(Self.list("late", RoomPosition(room: 6, sequence: 1))))
        #expect(late == [])
        let again = socket.handle(.assigned(.unchanged, []))
        #expect(again == [.readList(after: [6: 0])])
    }
}
