import Contracts
import FoundationEssentials
import NIOCore
import TestKit
import Testing

@testable import Chat

/// A socket that shows a room (contract 2.3, 2.4).
@Suite struct SocketStateRoomTests {
    typealias Driver = SocketStateDriver

    @Test func opened_claimsAccount_andSendsMissedMessages() {
        var socket = Driver()
        let claim = socket.handle(.opened)
        let read = socket.handle(.claimed)
        #expect(claim == [.claim])
        #expect(read == [.readAssignment(showing: nil, resync: true)])
        #expect(!socket.state.isActive)
        let missed = socket.handle(.assigned(.room(Driver.view, after: 2, through: 4), []))
        #expect(missed == [.readEvents(Driver.read(2, 4))])
        let sent = socket.handle(.eventsRead(Driver.read(2, 4), [3, 4].map { Driver.event($0) }))
        #expect(sent == [.send(3, 4), .ping(4)])
        #expect(socket.state.isActive)
    }

    @Test func announced_readsEventsAndDeliversEachOnceInOrder() {
        var socket = Driver.inRoom(through: 4)
        let first = socket.handle(.announced(room: 5, through: 5))
        #expect(first == [.readEvents(Driver.read(4, 5))])
        // Out of order, twice, and of another room.
        for (room, through) in [(5, 7), (5, 6), (5, 5), (6, 9)] as [(RoomID, Int64)] {
            let actions = socket.handle(.announced(room: room, through: through))
            #expect(actions == [])
        }
        let second = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        #expect(second == [.send(5), .ping(5), .readEvents(Driver.read(5, 7))])
        let again = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        #expect(again == [])
        let third = socket.handle(.eventsRead(Driver.read(5, 7), [5, 6, 7].map { Driver.event($0) }))
        #expect(third == [.send(6, 7)])
        let old = socket.handle(.announced(room: 5, through: 7))
        #expect(old == [])
    }

    @Test func backlog_isReadPageByPage() {
        var socket = Driver()
        _ = socket.handle(.opened)
        _ = socket.handle(.claimed)
        let first = socket.handle(.assigned(.room(Driver.view, after: 4, through: 8), []))
        #expect(first == [.readEvents(Driver.read(4, 8))])
        let page = socket.handle(.eventsRead(Driver.read(4, 6), [5, 6].map { Driver.event($0) }))
        #expect(page == [.send(5, 6), .ping(6), .readEvents(Driver.read(6, 8))])
        let last = socket.handle(.eventsRead(Driver.read(6, 8), [7, 8].map { Driver.event($0) }))
        #expect(last == [.send(7, 8)])
    }

    @Test func eventsRead_beyondAnnounced_waitForNotification() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 5, through: 5))
        let first = socket.handle(.eventsRead(Driver.read(4, 5), [5, 6].map { Driver.event($0) }))
        #expect(first == [.send(5), .ping(5)])
        let read = socket.handle(.announced(room: 5, through: 6))
        #expect(read == [.readEvents(Driver.read(5, 6))])
        let second = socket.handle(.eventsRead(Driver.read(5, 6), [Driver.event(6)]))
        #expect(second == [.send(6)])
    }

    @Test func eventsRead_ownDeletedAndEdited_areNotSent() {
        var socket = Driver.inRoom(through: 0)
        _ = socket.handle(.announced(room: 5, through: 4))
        var deleted = Driver.message(2)
        deleted.deletedAt = Date(timeIntervalSince1970: 1)
        let events = [
            Driver.event(1, by: 1), RoomEvent(sequence: 2, kind: .sent, at: deleted.createdAt, message: deleted),
            Driver.event(3, .edited), Driver.event(4, .deleted),
        ]
        let actions = socket.handle(.eventsRead(Driver.read(0, 4), events))
        #expect(actions == [])
        let closed = socket.handle(.closed(isNormal: false))
        #expect(closed == [.release(shown: RoomPosition(room: 5, sequence: 4), leavesRoom: false)])
    }

    // MARK: Acknowledgement

    @Test func pong_recordsMessagesSentBeforeItsPing() {
        var socket = Driver.inRoom(through: 0)
        _ = socket.handle(.announced(room: 5, through: 1))
        _ = socket.handle(.eventsRead(Driver.read(0, 1), [Driver.event(1)]))
        _ = socket.handle(.announced(room: 5, through: 2))
        let second = socket.handle(.eventsRead(Driver.read(1, 2), [Driver.event(2)]))
        #expect(second == [.send(2)])
        let early = socket.handle(.pong(2))
        #expect(early == [])
        let first = RoomPosition(room: 5, sequence: 1)
        let record = socket.handle(.pong(1))
        #expect(record == [.recordShown(first)])
        let more = socket.handle(.pong(1))
        #expect(more == [])
        let recorded = socket.handle(.recorded(first))
        #expect(recorded == [.ping(2)])
        let closed = socket.handle(.closed(isNormal: true))
        #expect(closed == [.release(shown: first, leavesRoom: true)])
    }

    @Test func reconnect_receivesUnacknowledgedMessages() {
        var lost = Driver.inRoom(through: 5)
        _ = lost.handle(.announced(room: 5, through: 6))
        _ = lost.handle(.eventsRead(Driver.read(5, 6), [Driver.event(6)]))
        _ = lost.handle(.pong(6))
        _ = lost.handle(.recorded(RoomPosition(room: 5, sequence: 6)))
        _ = lost.handle(.announced(room: 5, through: 7))
        _ = lost.handle(.eventsRead(Driver.read(6, 7), [Driver.event(7)]))
        let closed = lost.handle(.closed(isNormal: false))
        #expect(closed == [.release(shown: RoomPosition(room: 5, sequence: 6), leavesRoom: false)])
        var next = Driver()
        _ = next.handle(.opened)
        _ = next.handle(.claimed)
        // A message that is written during the lookup.
        let early = next.handle(.announced(room: 5, through: 9))
        #expect(early == [])
        let missed = next.handle(.assigned(.room(Driver.view, after: 6, through: 8), []))
        #expect(missed == [.readEvents(Driver.read(6, 9))])
    }

    // MARK: Closing

    @Test func closed_laterEvents_areIgnored() {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 5, through: 5))
        _ = socket.handle(.assignmentChanged)
        let closed = socket.handle(.closed(isNormal: false))
        #expect(closed == [.release(shown: RoomPosition(room: 5, sequence: 4), leavesRoom: false)])
        #expect(!socket.state.isActive)
        for event in [
            .assigned(.room(Driver.view, after: 4, through: 5), []), .assignmentChanged,
            .eventsRead(Driver.read(4, 5), [Driver.event(5)]), .announced(room: 5, through: 6), .notificationsMissed,
            .sessionEnded, .closed(isNormal: true),
        ] as [Driver.State.Event] {
            let actions = socket.handle(event)
            #expect(actions == [])
        }
    }

    @Test func sessionEnded_closesTheSocketAndLeavesTheRoom() {
        var socket = Driver.inRoom(through: 4)
        let actions = socket.handle(.sessionEnded)
        #expect(actions == [.close, .release(shown: RoomPosition(room: 5, sequence: 4), leavesRoom: true)])
    }
}
