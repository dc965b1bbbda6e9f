import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Notifications

/// The times of pushes for the messages of one room.
@Suite
struct ConversationTests {
    let start = Date(timeIntervalSince1970: 1_700_000_000)

    @Test
    func messagesWithinThreeSeconds_shareOnePush() {
        var room = Conversation(account: 1, room: "r")
        let telling = room.receive(1, writtenAt: start, at: start)
        #expect(telling == .atOnce)
        let tellingThen = room.receive(2, writtenAt: start + 1, at: start + 1)
        #expect(tellingThen == .together(at: start + 3))
        let tellingLater = room.receive(3, writtenAt: start + 2.9, at: start + 2.9)
        #expect(tellingLater == .together(at: start + 3))
        // The push of the first three is sent at 3; later messages wait until 6.
        let tellingAtLast = room.receive(4, writtenAt: start + 3.5, at: start + 3.5)
        #expect(tellingAtLast == .together(at: start + 6))
        let tellingAgain = room.receive(5, writtenAt: start + 5, at: start + 5)
        #expect(tellingAgain == .together(at: start + 6))
        #expect(room.firstSequence == 1)
        #expect(room.groupCount == 5)
        let tellingFinally = room.receive(6, writtenAt: start + 9, at: start + 9)
        #expect(tellingFinally == .atOnce)
        #expect(room.firstSequence == 6)
        #expect(room.groupCount == 1)
        #expect(room.unread.count == 6)
    }

    @Test
    func messageAfterThreeSeconds_isPushedAtOnce() {
        var room = Conversation(account: 1, room: "r")
        let telling = room.receive(1, writtenAt: start, at: start)
        #expect(telling == .atOnce)
        let tellingThen = room.receive(2, writtenAt: start + 3, at: start + 3)
        #expect(tellingThen == .atOnce)
    }

    @Test
    func lateEvents_arePushedByTimeOfWriting() {
        var room = Conversation(account: 1, room: "r")
        let telling = room.receive(1, writtenAt: start, at: start + 10)
        #expect(telling == .atOnce)
        let tellingThen = room.receive(2, writtenAt: start + 1, at: start + 20)
        #expect(tellingThen == .together(at: start + 20))
        // The push of the second was sent at 20; messages written up to three seconds later share the push at 23.
        let tellingLater = room.receive(3, writtenAt: start + 22, at: start + 22)
        #expect(tellingLater == .together(at: start + 23))
        let tellingAtLast = room.receive(4, writtenAt: start + 27, at: start + 30)
        #expect(tellingAtLast == .atOnce)
        #expect(room.firstSequence == 4)
    }

    @Test
    func clockOfChatAhead_delaysNoPush() {
        var room = Conversation(account: 1, room: "r")
        let telling = room.receive(1, writtenAt: start + 60, at: start)
        #expect(telling == .atOnce)
        let tellingThen = room.receive(2, writtenAt: start + 63, at: start + 3)
        #expect(tellingThen == .atOnce)
    }

    @Test
    func read_resetsUnread_andNextMessageIsPushedAtOnce() {
        var room = Conversation(account: 1, room: "r")
        _ = room.receive(1, writtenAt: start, at: start)
        _ = room.receive(2, writtenAt: start + 1, at: start + 1)
        room.read(through: 2)
        #expect(room.unread.isEmpty)
        let telling = room.receive(2, writtenAt: start + 1.5, at: start + 1.5)
        #expect(telling == .not)
        let tellingThen = room.receive(3, writtenAt: start + 2, at: start + 2)
        #expect(tellingThen == .atOnce)
        #expect(room.unread.count == 1)
        room.read(through: 1)
        #expect(room.unread.count == 1)
    }

    @Test
    func partialRead_keepsLaterMessagesAndTheirGroup() {
        var room = Conversation(account: 1, room: "r")
        for sequence in [2, 4, 5, 9] as [Int64] { _ = room.receive(sequence, writtenAt: start, at: start) }
        room.read(through: 1)
        #expect(room.unread.bounds == [2, 2, 4, 5, 9, 9])
        room.read(through: 4)
        #expect(room.unread.bounds == [5, 5, 9, 9])
        #expect(room.groupCount == 2)
        #expect(room.pushDueAt == start + 3)
        room.takeBack(9)
        room.takeBack(5)
        #expect(room.unread.isEmpty)
        #expect(room.pushDueAt == nil)
    }

    @Test(arguments: 0..<100)
    func eventsInAnyOrder_leaveTheSameUnread(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        let count = Int64(20)
        let read = Int64.random(in: 0...count + 1, using: &random)
        let takenBack = Set((0..<8).map { _ in Int64.random(in: 1...count, using: &random) })
        var events: [(inout Conversation) -> Void] = []
        for sequence in 1...count { events.append { _ = $0.receive(sequence, writtenAt: .distantPast, at: start) } }
        for sequence in takenBack { events.append { $0.takeBack(sequence) } }
        for through in [read, read / 2] { events.append { $0.read(through: through) } }
        events += events.filter { _ in Bool.random(using: &random) }
        events.shuffle(using: &random)
        var room = Conversation(account: 1, room: "r")
        for event in events { event(&room) }
        let expected = (1...count).filter { $0 > read && !takenBack.contains($0) }
        #expect((1...count).filter { room.unread.contains($0) } == expected)
        #expect(room.unread.count == expected.count)
    }

    @Test
    func endedRoom_staysReadWhateverArrives() {
        var room = Conversation(account: 1, room: "r")
        _ = room.receive(1, writtenAt: start, at: start)
        room.read(through: .max)
        let telling = room.receive(2, writtenAt: start, at: start)
        room.see(3)
        room.takeBack(4)
        #expect(telling == .not)
        #expect(room.unread.isEmpty && room.takenBack.isEmpty)
    }

    @Test
    func countOfOlderReplica_standsForTheLastMessages() {
        func stored(_ count: Int, _ unread: [Int64], readThrough: Int64) -> Conversation {
            Conversation(
                account: 1,
                room: "r",
                unreadCount: count,
                unread: MessageNumbers(bounds: unread),
                takenBack: MessageNumbers(),
                readThrough: readThrough,
                firstSequence: 7,
                count: 3,
                windowEnds: start,
                pushDueAt: nil
            )
        }
        #expect(stored(4, [], readThrough: 2).unread.bounds == [6, 9])
        #expect(stored(4, [], readThrough: 7).unread.bounds == [8, 9])
        #expect(stored(0, [1, 4], readThrough: 9).unread.isEmpty)
        #expect(stored(2, [3, 3, 5, 5], readThrough: 2).unread.bounds == [3, 3, 5, 5])
    }

    @Test
    func scatteredUnreadMessages_areBounded() {
        var room = Conversation(account: 1, room: "r")
        let count = Int64(Conversation.rangeLimit + 5)
        for number in 1...count { _ = room.receive(number * 2, writtenAt: start, at: start) }
        for number in 1...count { room.takeBack(count * 4 + number * 2) }
        #expect(room.unread.count == Conversation.rangeLimit)
        #expect(room.unread.contains(count * 2))
        #expect(room.readThrough == 10)
        #expect(room.takenBack.count == Conversation.rangeLimit)
    }
}
