import Contracts
import FoundationEssentials
import NIOCore
import TestKit
import Testing
import Values

@testable import Chat

/// A socket that moves to another copy of the service.
@Suite struct SocketStateMoveTests {
    typealias Driver = SocketStateDriver
    typealias Action = WithSuhyeonSocketState.Action

    private static let pause = Action.pauseList(.milliseconds(300))

    /// The socket at the other copy, which knows the time that has passed only by its own clock.
    private static func move(_ socket: inout Driver) throws -> Driver {
        var moved = Driver()
        let snapshot = socket.state.suspend()
        moved.state = .init(resuming: try #require(snapshot).coded())
        return moved
    }

    @Test func inRoom_continuesAfterLastMessageSent() throws {
        var old = Driver.inRoom(through: 4)
        _ = old.handle(.announced(room: 5, through: 5))
        _ = old.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        var new = try Self.move(&old)
        #expect(!new.state.isActive)
        let resumed = new.handle(.resumed)
        #expect(resumed == [Self.pause, .readAssignment(showing: RoomPosition(room: 5, sequence: 4), resync: true)])
        let early = new.handle(.announced(room: 5, through: 6))
        #expect(early == [])
        // The other copy's ping is repeated.
        let assigned = new.handle(.assigned(.room(Driver.view, after: 4, through: 5), []))
        #expect(assigned == [.ping(5), .readEvents(Driver.read(5, 6))])
        let sent = new.handle(.eventsRead(Driver.read(5, 6), [Driver.event(6)]))
        #expect(sent == [.send(6)])
        let record = new.handle(.pong(5))
        #expect(record == [.recordShown(RoomPosition(room: 5, sequence: 5))])
    }

    @Test func joinedOtherRoom_startsThere() throws {
        var old = Driver.inRoom(through: 4)
        var new = try Self.move(&old)
        _ = new.handle(.resumed)
        let left = new.handle(.assigned(.noRoom, []))
        #expect(left == [])
        #expect(new.state.isActive)
        let joined = new.handle(.assigned(.room(Driver.view, after: 7, through: 8), []))
        #expect(joined == [.readEvents(Driver.read(7, 8))])
    }

    @Test(arguments: [(3, [:]), (4, [6: 3])] as [(Int64, [RoomID: Int64])])
    func listing_sendsListOnlyWithNews(_ last: Int64, _ after: [RoomID: Int64]) throws {
        var old = Driver.listing()
        _ = old.handle(.announced(room: 6, through: 1))
        _ = old.handle(
            .listRead(.init(frame: ByteBuffer(string: "list"), shown: [RoomPosition(room: 6, sequence: 3)]))
        )
        var new = try Self.move(&old)
        _ = new.handle(.resumed)
        let assigned = new.handle(.assigned(.noRoom, [RoomProgress(room: 6, last: last, before: 0)]))
        #expect(assigned == [])
        let read = new.handle(.listPauseEnded)
        #expect(read == (after.isEmpty ? [] : [.readList(after: after)]))
    }

    @Test func superseded_doesNotClaim() throws {
        var old = Driver()
        old.open(.superseded)
        var new = try Self.move(&old)
        let resumed = new.handle(.resumed)
        #expect(resumed == [Self.pause, .readAssignment(showing: nil, resync: true)])
    }

    @Test func unclaimed_claims() throws {
        var old = Driver()
        _ = old.handle(.opened)
        var new = try Self.move(&old)
        let resumed = new.handle(.resumed)
        #expect(resumed == [Self.pause, .claim])
    }

    @Test func movedAgainBeforeAssignment_keepsItsPlace() throws {
        var old = Driver.inRoom(through: 4)
        var second = try Self.move(&old)
        _ = second.handle(.resumed)
        var third = try Self.move(&second)
        _ = third.handle(.resumed)
        let assigned = third.handle(.assigned(.room(Driver.view, after: 0, through: 5), []))
        #expect(assigned == [.readEvents(Driver.read(4, 5))])
    }

    @Test func closedBeforeAssignment_releasesWhatItHasShown() throws {
        var old = Driver.inRoom(through: 4)
        var new = try Self.move(&old)
        _ = new.handle(.resumed)
        let closed = new.handle(.closed(isNormal: true))
        #expect(closed == [.release(shown: RoomPosition(room: 5, sequence: 4), leavesRoom: true)])
    }

    @Test func suspended_doesNothingMore() throws {
        var old = Driver.inRoom(through: 4)
        _ = try Self.move(&old)
        for event in [
            .announced(room: 5, through: 5), .assignmentChanged, .notificationsMissed, .sessionEnded,
            .closed(isNormal: true),
        ] as [Driver.State.Event] {
            let actions = old.handle(event)
            #expect(actions == [])
        }
        let again = old.state.suspend()
        #expect(again == nil)
    }

    // MARK: The state as text

    private static func text() throws -> Data {
        var socket = Driver.inRoom(through: 4)
        _ = socket.handle(.announced(room: 6, through: 9))
        let snapshot = socket.state.suspend()
        let state = WithSuhyeonSession.Suspended(
            id: UUID(),
            ticket: 1001,
            openedAt: Date(timeIntervalSince1970: 1_700_000_000),
            socket: try #require(snapshot)
        )
        return try JSONEncoder().encode(state)
    }

    @Test func truncatedText_isRefused() throws {
        let text = try Self.text()
        _ = try JSONDecoder().decode(WithSuhyeonSession.Suspended.self, from: text)
        for length in 0..<text.count {
            #expect(throws: (any Error).self) {
                try JSONDecoder().decode(WithSuhyeonSession.Suspended.self, from: text.prefix(length))
            }
        }
    }

    @Test func impossibleState_isInvalid() {
        var cursor = DeliveryCursor(at: 3)
        cursor.deliver(through: 4, needsAcknowledgement: true)
        typealias Snapshot = WithSuhyeonSocketState.Snapshot
        #expect(Snapshot(hasClaimed: true, room: 5, cursor: cursor, unread: UnreadTracker()).isValid)
        #expect(Snapshot(hasClaimed: true, unread: UnreadTracker()).isValid)
        #expect(!Snapshot(hasClaimed: true, room: 5, unread: UnreadTracker()).isValid)
        #expect(!Snapshot(hasClaimed: true, cursor: cursor, unread: UnreadTracker()).isValid)
        let negative = DeliveryCursor(at: -1)
        #expect(!Snapshot(hasClaimed: true, room: 5, cursor: negative, unread: UnreadTracker()).isValid)
    }

    /// Such a text may by chance be valid.
    @Test(arguments: 0..<8) func mutatedText_doesNotCrash(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<300 {
            var text = Array(try Self.text())
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
            }
            let state = try? JSONDecoder().decode(WithSuhyeonSession.Suspended.self, from: Data(text))
            guard let state, state.socket.isValid else { continue }
            var socket = Driver()
            socket.state = .init(resuming: state.socket)
            _ = socket.handle(.resumed)
            _ = socket.handle(.assigned(.room(Driver.view, after: 4, through: 5), []))
            _ = socket.handle(.eventsRead(Driver.read(4, 5), [Driver.event(5)]))
        }
    }
}

extension WithSuhyeonSocketState.Snapshot {
    /// As another copy reads it.
    func coded() throws -> Self {
        try JSONDecoder().decode(Self.self, from: JSONEncoder().encode(self))
    }
}
