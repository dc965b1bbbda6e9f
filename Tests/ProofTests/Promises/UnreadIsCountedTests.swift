import Contracts
import Proof
import Testing

struct UnreadIsCountedTests {
    /// Account 2 writes three messages, of which account 1 reads the first. It is shown two unread ones, and pushed each
    /// message on one device.
    private var room: RoomHistory {
        var room = RoomHistory(room: "room")
        room.sends = [
            MessageSend(Attempt(2, 1, 2), marker: "m1", number: 1),
            MessageSend(Attempt(2, 3, 4), marker: "m2", number: 2),
            MessageSend(Attempt(1, 5, 6), marker: "own", number: 3),
            MessageSend(Attempt(2, 7, 8), marker: "m3", number: 4),
        ]
        room.table = [
            RoomEventRow(1, of: 1, marker: "m1"), RoomEventRow(2, of: 2, marker: "m2"),
            RoomEventRow(3, of: 3, marker: "own"), RoomEventRow(4, of: 4, marker: "m3"),
        ]
        room.reads = [RoomRead(Attempt(1, 15, 16), through: 1)]
        room.unreadCounts = [UnreadCount(Attempt(1, 20, 21), 2)]
        return room
    }

    private var pushes: PushHistory {
        var pushes = PushHistory()
        let account = AccountID(rawValue: 1)
        pushes.holdings = [DeviceHolding("d1", of: account, since: .seconds(0))]
        for (marker, number, badge) in [("m1", 1, 1), ("m2", 2, 2), ("m3", 4, 3)] {
            let at = Double(number) * 2 + 0.5
            pushes.occasions.append(
                PushOccasion(marker, for: account, at: .seconds(at), thread: "room", number: Int64(number))
            )
            var arrival = PushArrival("a\(number)", to: "d1", at: .seconds(at), marker: marker, thread: "room")
            arrival.badge = Int64(badge)
            pushes.arrivals.append(arrival)
        }
        return pushes
    }

    private func sentences(_ change: (inout RoomHistory, inout PushHistory) -> Void) -> [String] {
        var (room, pushes) = (room, pushes)
        change(&room, &pushes)
        return CountersAreCounts.check([], unreadIn: [room], badges: pushes).sentences
    }

    // MARK: Lists

    @Test func numbersOfWhatIsUnread_areKept() {
        let finding = CountersAreCounts.check([], unreadIn: [room], badges: pushes)
        #expect(finding.sentences == [])
        #expect(finding.checked == 4)
    }

    @Test func resetCount_isFound_withWhatWasRead() {
        let found = sentences { room, _ in room.unreadCounts[0].count = 0 }
        #expect(found == ["phone 1 was shown 0 unread messages of room room, of at least 2."])
        var room = room
        room.unreadCounts[0].count = 0
        let story = CountersAreCounts.check([], unreadIn: [room]).violations.first?.story.map(\.what) ?? []
        #expect(story.contains { $0.hasPrefix("has read through number 1") })
        #expect(story.last?.hasPrefix("was shown 0 unread messages") == true)
    }

    @Test func countOfWhatWasRead_isFound() {
        let found = sentences { room, _ in room.unreadCounts[0].count = 3 }
        #expect(found == ["phone 1 was shown 3 unread messages of room room, of at most 2."])
    }

    @Test(arguments: [2, 3] as [Int64]) func readWithoutAnAnswer_mayHaveHadItsEffect(count: Int64) {
        let found = sentences { room, _ in
            room.reads[0].attempt.outcome = .lost
            room.unreadCounts[0].count = count
        }
        #expect(found == [])
    }

    @Test func refusedRead_hasNone() {
        let found = sentences { room, _ in room.reads[0].attempt.outcome = .refused("404") }
        #expect(found == ["phone 1 was shown 2 unread messages of room room, of at least 3."])
    }

    @Test(arguments: [1, 2] as [Int64]) func messageWithoutAnAnswer_mayBeThere(count: Int64) {
        let found = sentences { room, _ in
            room.sends[3].attempt.outcome = .lost
            room.unreadCounts[0].count = count
        }
        #expect(found == [])
    }

    @Test(arguments: [1, 2] as [Int64]) func messageThatIsDeletedAtTheEnd_mayHaveBeenSoBefore(count: Int64) {
        let found = sentences { room, _ in
            room.table[3].marker = nil
            room.unreadCounts[0].count = count
        }
        #expect(found == [])
    }

    @Test func laterMessage_isNotCounted() {
        let found = sentences { room, _ in
            room.sends[3].attempt.begun = .seconds(30)
            room.sends[3].attempt.ended = .seconds(31)
        }
        #expect(found == ["phone 1 was shown 2 unread messages of room room, of at most 1."])
    }

    // MARK: Badges

    @Test func olderBadge_isFound() {
        let found = sentences { _, pushes in pushes.arrivals[2].badge = 2 }
        #expect(found == ["Device d1 was pushed the badge 2, with at least 3 unread messages."])
    }

    @Test func badgeOfSeveral_countsThoseBefore() {
        let found = sentences { _, pushes in
            (pushes.arrivals[2].marker, pushes.arrivals[2].badge) = (nil, 1)
        }
        #expect(found == ["Device d1 was pushed the badge 1, with at least 2 unread messages."])
    }

    @Test func badge_mayCountOtherNotices_andLeaveOutWhatMayBeRead() {
        let found = sentences { room, pushes in
            pushes.arrivals[0].badge = 9
            room.reads.append(RoomRead(Attempt(1, 8, 8.2, .lost), through: 2))
            pushes.arrivals[2].badge = 1
        }
        #expect(found == [])
    }

    @Test func deviceOfTwoPeople_isNotChecked() {
        let found = sentences { _, pushes in
            pushes.holdings.append(DeviceHolding("d1", of: AccountID(rawValue: 2), since: .seconds(1)))
            pushes.arrivals[2].badge = 0
        }
        #expect(found == [])
    }
}
