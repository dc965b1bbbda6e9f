import Contracts
import Testing

@testable import Chat

@Suite struct RoomQueuesTests {
    private let rooms = (1...3).map { RoomID(rawValue: $0) }

    @Test func elements_areTakenByRoom_inOrder() {
        var queues = RoomQueues<String>()
        #expect(queues.isIdle && queues.take(9) == [])
        for (name, room) in [("a1", 0), ("b1", 1), ("a2", 0), ("c1", 2)] { queues.append(name, to: rooms[room]) }
        #expect(!queues.isIdle)
        #expect(queues.take(9) == ["a1", "a2", "b1", "c1"])
        #expect(queues.isIdle)
    }

    /// Another batch takes nothing of a room that is being written.
    @Test func takenRoom_isNotTakenAgain() {
        var queues = RoomQueues<String>()
        queues.append("a1", to: rooms[0])
        #expect(queues.take(9) == ["a1"])
        queues.append("a2", to: rooms[0])
        queues.append("b1", to: rooms[1])
        #expect(queues.take(9) == ["b1"])
        queues.release(rooms[0])
        #expect(queues.take(9) == ["a2"])
        for room in rooms.prefix(2) { queues.release(room) }
        #expect(queues.isIdle)
        queues.append("a3", to: rooms[0])
        #expect(queues.take(9) == ["a3"])
    }

    @Test func limit_leavesRest_behindOtherRooms() {
        var queues = RoomQueues<String>()
        for number in 1...3 { queues.append("a\(number)", to: rooms[0]) }
        queues.append("b1", to: rooms[1])
        #expect(queues.take(2) == ["a1", "a2"])
        queues.release(rooms[0])
        #expect(queues.take(2) == ["b1", "a3"])
    }

    @Test func elementsPutBack_comeFirst() {
        var queues = RoomQueues<String>()
        for number in 1...3 { queues.append("a\(number)", to: rooms[0]) }
        let taken = queues.take(2)
        queues.append("a4", to: rooms[0])
        queues.putBack(taken, to: rooms[0])
        #expect(queues.isIdle)
        #expect(queues.removeFirst(of: rooms[0]) { $0 < "a2" } == ["a1"])
        #expect(queues.removeFirst(of: rooms[0]) { $0 < "a2" } == [])
        queues.release(rooms[0])
        #expect(queues.take(9) == ["a2", "a3", "a4"])
    }
}
