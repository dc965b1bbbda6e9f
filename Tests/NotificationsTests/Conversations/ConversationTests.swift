import FoundationEssentials
import TestKit
import Testing

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
        #expect(tellingThen == .together(count: 2, at: start + 3))
        let tellingLater = room.receive(3, writtenAt: start + 2.9, at: start + 2.9)
        #expect(tellingLater == .together(count: 3, at: start + 3))
        // The push of the first three is sent at 3; later messages wait until 6.
        let tellingAtLast = room.receive(4, writtenAt: start + 3.5, at: start + 3.5)
        #expect(tellingAtLast == .together(count: 4, at: start + 6))
        let tellingAgain = room.receive(5, writtenAt: start + 5, at: start + 5)
        #expect(tellingAgain == .together(count: 5, at: start + 6))
        #expect(room.firstSequence == 1)
        let tellingFinally = room.receive(6, writtenAt: start + 9, at: start + 9)
        #expect(tellingFinally == .atOnce)
        #expect(room.firstSequence == 6)
        #expect(room.unread == 6)
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
        #expect(tellingThen == .together(count: 2, at: start + 20))
        // The push of the second was sent at 20; messages written up to three seconds later share the push at 23.
        let tellingLater = room.receive(3, writtenAt: start + 22, at: start + 22)
        #expect(tellingLater == .together(count: 3, at: start + 23))
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
        #expect(room.unread == 0)
        let telling = room.receive(2, writtenAt: start + 1.5, at: start + 1.5)
        #expect(telling == .not)
        let tellingThen = room.receive(3, writtenAt: start + 2, at: start + 2)
        #expect(tellingThen == .atOnce)
        #expect(room.unread == 1)
        room.read(through: 1)
        #expect(room.unread == 1)
    }
}
