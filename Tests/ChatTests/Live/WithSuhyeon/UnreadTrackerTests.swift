import Contracts
import TestKit
import Testing

@testable import Chat

@Suite struct UnreadTrackerTests {
    private static func progress(_ room: RoomID, last: Int64, before: Int64) -> RoomProgress {
        RoomProgress(room: room, last: last, before: before)
    }

    @Test func reconcile_addsRoomsWithMessagesSinceTheConnection() {
        var unread = UnreadTracker()
        unread.reconcile(with: [Self.progress(1, last: 5, before: 5), Self.progress(2, last: 7, before: 4)])
        #expect(unread.latest == [2: 7])
        #expect(unread.lastKnown == [2: 4])
    }

    @Test func reconcile_keepsKnownPositions() {
        var unread = UnreadTracker()
        unread.markKnown(2, through: 7)
        unread.reconcile(with: [Self.progress(2, last: 9, before: 4)])
        #expect(unread.lastKnown == [2: 7])
    }

    @Test func announce_ignoresKnownAndEarlierEvents() {
        var unread = UnreadTracker()
        unread.announce(2, through: 7)
        unread.announce(2, through: 6)
        #expect(unread.latest == [2: 7])
        unread.markKnown(2, through: 6)
        #expect(unread.latest == [2: 7])
        unread.markKnown(2, through: 7)
        unread.markKnown(2, through: 3)
        unread.announce(2, through: 7)
        #expect(unread.latest.isEmpty)
        unread.announce(3, through: 1)
        #expect(unread.latest == [3: 1])
    }

    @Test func clear_keepsKnownPositions() {
        var unread = UnreadTracker()
        unread.markKnown(1, through: 3)
        unread.announce(1, through: 4)
        unread.clear()
        #expect(unread.latest.isEmpty)
        unread.announce(1, through: 3)
        #expect(unread.latest.isEmpty)
    }
}
