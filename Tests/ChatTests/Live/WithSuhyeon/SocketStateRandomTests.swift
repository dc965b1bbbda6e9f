import Contracts
import NIOCore
import TestKit
import Testing
import Values

@testable import Chat

/// Random interleavings of writes, notifications, lookups, reads and moves between copies of the service in one room.
@Suite struct SocketStateRandomTests {
    typealias Driver = SocketStateDriver

    @Test(arguments: 0..<200) func randomInterleavings_sendEachMessageOnceInOrder(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var room = SimulatedRoom()
        room.perform(room.socket.handle(.opened))
        for _ in 0..<400 {
            switch Int.random(in: 0..<11, using: &random) {
            case 0...2: room.write(by: Bool.random(using: &random) ? 1 : 9)
            case 3...4: room.notify(isLost: Int.random(in: 0..<5, using: &random) == 0)
            case 5: room.perform(room.socket.handle(.assignmentChanged))
            case 6: room.answerPings(isLost: Int.random(in: 0..<5, using: &random) == 0)
            case 7: try room.move(afterOperations: Int.random(in: 0..<3, using: &random))
            default: room.finishOperation()
            }
        }
        room.perform(room.socket.handle(.notificationsMissed))
        while room.finishOperation() {}
        #expect(room.sent == room.events.filter { $0.message.sender == 9 }.map(\.sequence))
        repeat {
            room.answerPings(isLost: false)
        } while room.finishOperation()
        let closed = room.socket.handle(.closed(isNormal: false))
        let last = RoomPosition(room: 5, sequence: Int64(room.events.count))
        #expect(closed == [.release(shown: last, leavesRoom: false)])
    }
}

/// A room, its pending notifications, and a socket with its operations, which end one after the other.
private struct SimulatedRoom {
    var socket = SocketStateDriver()
    var events: [RoomEvent] = []
    /// The numbers of the messages that were sent, and the last number that was recorded.
    var sent: [Int64] = []
    var shown: Int64 = 0
    private var notifications: [Int64] = []
    private var pings: [RoomPosition] = []
    private var operations: [WithSuhyeonSocketState.Action] = []

    mutating func write(by sender: AccountID) {
        events.append(SocketStateDriver.event(Int64(events.count) + 1, by: sender))
        notifications.append(Int64(events.count))
    }

    mutating func notify(isLost: Bool) {
        guard !notifications.isEmpty else { return }
        let through = notifications.removeFirst()
        if !isLost { perform(socket.handle(.announced(room: 5, through: through))) }
    }

    /// Moves the socket to another copy, which gets the pending notifications. Other messages are written while the last
    /// operations end.
    mutating func move(afterOperations count: Int) throws {
        for _ in 0..<count where finishOperation() { write(by: 9) }
        while finishOperation() {}
        let snapshot = socket.state.suspend()
        socket.state = .init(resuming: try #require(snapshot).coded())
        perform(socket.handle(.resumed))
    }

    /// The pong of a ping is lost with the ones before the last of them, or all arrive.
    mutating func answerPings(isLost: Bool) {
        let answered = isLost ? pings.suffix(1) : pings[...]
        pings = []
        for shown in answered { perform(socket.handle(.pongReceived(shown))) }
    }

    mutating func perform(_ actions: [WithSuhyeonSocketState.Action]) {
        for action in actions {
            switch action {
            case .sendMessages(let messages, _): sent += messages.map(\.sequence)
            case .ping(let shown): pings.append(shown)
            default: operations.append(action)
            }
        }
    }

    @discardableResult
    mutating func finishOperation() -> Bool {
        guard !operations.isEmpty else { return false }
        switch operations.removeFirst() {
        case .claim: perform(socket.handle(.claimed))
        case .readAssignment(let position, let resync):
            if position?.room == 5, !resync {
                perform(socket.handle(.assigned(.unchanged, [])))
            } else {
                let after = max(shown, position?.sequence ?? 0)
                let assignment = RoomMembership.Assignment.room(
                    SocketStateDriver.view,
                    after: after,
                    through: Int64(events.count)
                )
                let rooms = resync ? [RoomProgress(room: 5, last: Int64(events.count), before: 0)] : []
                perform(socket.handle(.assigned(assignment, rooms)))
            }
        case .readEvents(let range):
            // A page has at most three events.
            let page = EventRange(room: 5, after: range.after, through: min(range.through, range.after + 3))
            let read = Array(events[Int(page.after)..<Int(page.through)])
            perform(socket.handle(.eventsRead(page, read)))
        case .recordShown(let position):
            shown = position.sequence
            perform(socket.handle(.recorded(position)))
        default:
            break
        }
        return true
    }
}
