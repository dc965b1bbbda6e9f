import NIOCore
import TestKit
import Testing

@testable import Chat

/// Changes of a socket's assignment, and missed notifications.
@Suite struct SocketStateAssignmentTests {
    typealias Driver = SocketStateDriver

    @Test func announced_duringALookupIsReadAfterIt() {
        var socket = Driver.inRoom(through: 4)
        let lookup = socket.handle(.assignmentChanged)
        #expect(lookup == [.readAssignment(showing: RoomPosition(room: 5, sequence: 4), resync: false)])
        let announced = socket.handle(.announced(room: 5, through: 5))
        #expect(announced == [])
        let actions = socket.handle(.assigned(.unchanged, []))
        #expect(actions == [.readEvents(Driver.read(4, 5))])
    }

    @Test func announced_afterTheExitIsNotSentAsAMessage() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 5, through: 5))
        _ = socket.handle(.assignmentChanged)
        _ = socket.handle(.announced(room: 5, through: 6))
        let late = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        #expect(late == [])
        let actions = socket.handle(.assigned(.noRoom, []))
        #expect(actions == [.readList(after: [5: 4])])
    }

    @Test func eventsRead_duringALookupIsReadAgain() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 5, through: 5))
        _ = socket.handle(.assignmentChanged)
        let late = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        #expect(late == [])
        let again = socket.handle(.assigned(.unchanged, []))
        #expect(again == [.readEvents(Driver.read(4, 5))])
        let sent = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        #expect(sent == [.send(5), .ping(5)])
    }

    @Test func assignmentChanged_duringALookupStartsOneMore() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.assignmentChanged)
        for _ in 0..<3 {
            let actions = socket.handle(.assignmentChanged)
            #expect(actions == [])
        }
        let next = socket.handle(.assigned(.unchanged, []))
        #expect(next == [.readAssignment(showing: RoomPosition(room: 5, sequence: 4), resync: false)])
        let last = socket.handle(.assigned(.noRoom, []))
        #expect(last == [])
    }

    @Test func superseded_receivesNothingUntilItIsActiveAgain() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.assignmentChanged)
        _ = socket.handle(.announced(room: 5, through: 5))
        let superseded = socket.handle(.assigned(.superseded, []))
        let announced = socket.handle(.announced(room: 5, through: 6))
        #expect(superseded == [] && announced == [])
        #expect(!socket.state.isActive)
        let lookup = socket.handle(.assignmentChanged)
        #expect(lookup == [.readAssignment(showing: nil, resync: false)])
        let read = socket.handle(.assigned(.room(Driver.view, after: 5, through: 7), []))
        #expect(read == [.readEvents(Driver.read(5, 7))])
        let sent = socket.handle(.eventsRead(Driver.read(5, 7), [6, 7].map { Driver.event($0) }))
        #expect(sent == [.send(6, 7), .ping(7)])
        #expect(socket.state.isActive)
    }

    @Test func superseded_clearsUnreadRooms() {
        var socket = Driver.listing()
        _ = socket.handle(.notificationsMissed)
        let superseded = socket.handle(.assigned(.superseded, [RoomProgress(room: 6, last: 3, before: 1)]))
        _ = socket.handle(.assignmentChanged)
        let active = socket.handle(.assigned(.noRoom, []))
        #expect(superseded == [] && active == [])
    }

    @Test func closed_whileClaiming_releases() {
        var socket = Driver()
        _ = socket.handle(.opened)
        let closed = socket.handle(.closed(isNormal: false))
        #expect(closed == [.release(shown: nil, leavesRoom: false)])
    }

    // MARK: Missed notifications

    @Test func notificationsMissed_resubscribesWithoutRepeatingMessages() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 5, through: 5))
        _ = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        let acknowledged = RoomPosition(room: 5, sequence: 4)
        let lookup = socket.handle(.notificationsMissed)
        #expect(lookup == [.readAssignment(showing: acknowledged, resync: true)])
        let rooms = [RoomProgress(room: 5, last: 6, before: 1)]
        let read = socket.handle(.assigned(.room(Driver.view, after: 4, through: 6), rooms))
        #expect(read == [.readEvents(Driver.read(5, 6))])
        let sent = socket.handle(.eventsRead(Driver.read(5, 6), [Driver.event(6)]))
        #expect(sent == [.send(6)])
        let record = socket.handle(.pong(5))
        #expect(record == [.recordShown(RoomPosition(room: 5, sequence: 5))])
    }

    @Test func notificationsMissed_duringALookup_resyncsAfterIt() {
        var socket = Driver.listing()
        _ = socket.handle(.assignmentChanged)
        _ = socket.handle(.notificationsMissed)
        let none = RoomPosition(room: 0, sequence: 0)
        let lookup = socket.handle(.assigned(.unchanged, []))
        #expect(lookup == [.readAssignment(showing: none, resync: true)])
        let list = socket.handle(.assigned(.noRoom, [RoomProgress(room: 6, last: 3, before: 1)]))
        #expect(list == [.readList(after: [6: 1])])
    }
}
