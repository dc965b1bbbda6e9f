import Proof
import Testing

struct RoomsHaveOneOrderTests {
    /// Three messages by two phones, the second one deleted; a device with a connection, its continuation and a page.
    private var room: RoomHistory {
        var room = RoomHistory(room: "r1")
        room.sends = [
            MessageSend(Attempt(1, 1, 2), marker: "m1", number: 1),
            MessageSend(Attempt(2, 3, 4), marker: "m2", number: 2),
            MessageSend(Attempt(1, 5, 6), marker: "m3"), MessageSend(Attempt(2, 5, 7, .lost), marker: "m4"),
            MessageSend(Attempt(2, 5, 7, .refused("403 BLOCKED")), marker: "m5"),
        ]
        room.deletions = [MessageDeletion(Attempt(2, 8, 9), message: 2)]
        room.table = [
            RoomEventRow(1, of: 1, marker: "m1"), RoomEventRow(2, of: 2, marker: nil),
            RoomEventRow(3, of: 3, marker: "m3"),
            RoomEventRow(4, .deleted, of: 2, marker: nil),
        ]
        var first = RoomReading(device: "phone 1", begun: .seconds(0), ended: .seconds(4.5), after: 0)
        first.events = [shown(1, "m1", 2), shown(2, "m2", 4)]
        var second = RoomReading(device: "phone 1", begun: .seconds(5), ended: .seconds(20), after: 2)
        second.events = [shown(3, "m3", 6), ShownEvent(4, .deleted, of: 2, marker: nil, at: .seconds(9))]
        (second.continuesList, second.isCurrent) = (true, true)
        var page = RoomReading(device: "phone 2", begun: .seconds(10), ended: .seconds(11))
        (page.kinds, page.skipsDeleted, page.events) = ([.sent], true, [shown(1, "m1", 11), shown(3, "m3", 11)])
        room.readings = [first, second, page]
        return room
    }

    private func shown(_ number: Int64, _ marker: String?, _ at: Double) -> ShownEvent {
        ShownEvent(number, of: number, marker: marker, at: .seconds(at))
    }

    private func sentences(_ change: (inout RoomHistory) -> Void) -> [String] {
        var room = room
        change(&room)
        return RoomsHaveOneOrder.check([room]).sentences
    }

    @Test func roomWithAllThatWasSent_isKept() {
        let finding = RoomsHaveOneOrder.check([room])
        #expect(finding.sentences == [])
        #expect(finding.checked == 5)
    }

    @Test func unknownMessage_mayBeThereOnce() {
        let found = sentences { room in
            room.table.append(RoomEventRow(5, of: 5, marker: "m4"))
            room.readings[1].events.append(shown(5, "m4", 12))
        }
        #expect(found == [])
        let twice = sentences { room in
            room.table += [RoomEventRow(5, of: 5, marker: "m4"), RoomEventRow(6, of: 6, marker: "m4")]
            room.readings[1].isCurrent = false
        }
        #expect(twice == ["Room r1: \"m4\" is there more than once, as numbers 5, 6."])
    }

    @Test func lostMessage_isFound() {
        let found = sentences { room in
            room.sends.append(MessageSend(Attempt(1, 12, 13), marker: "m9", number: 9))
        }
        #expect(found == ["Room r1: \"m9\" was acknowledged, and is lost."])
    }

    @Test func refusedMessage_isFound() {
        let found = sentences { room in
            room.table.append(RoomEventRow(5, of: 5, marker: "m5"))
            room.readings[1].isCurrent = false
        }
        #expect(found == ["Room r1: \"m5\" was refused with 403 BLOCKED, and is there."])
    }

    @Test func gapInTheTable_isFound() {
        let found = sentences { $0.table[3].number = 5 }
        #expect(found.first == "Room r1: the table has number 5 after a gap.")
    }

    @Test func messagesInTheWrongOrder_areFound() {
        let found = sentences { room in
            (room.sends[0].number, room.sends[2].number) = (3, 1)
            (room.table[0].marker, room.table[2].marker) = ("m3", "m1")
            room.readings = []
        }
        #expect(found == ["Room r1: \"m1\" was acknowledged before \"m2\" was sent, but comes after it."])
    }

    @Test func skippedEvent_isFound() {
        #expect(
            sentences { $0.readings[1].events.removeFirst() } == [
                "Room r1: phone 1 was shown number 4 after 2, without 3."
            ]
        )
        #expect(
            sentences { $0.readings[1].events.removeLast() } == [
                "Room r1: phone 1 was connected until the end, but never shown number 4."
            ]
        )
        let page = sentences { room in
            room.readings[2].events = [shown(1, "m1", 11), shown(3, "m3", 11)]
            room.deletions = []
            room.table[1].marker = "m2"
            room.table.removeLast()
            room.readings[1].events.removeLast()
        }
        #expect(page == ["Room r1: phone 2 was shown number 3 after 1, without 2."])
    }

    @Test func repeatedEvent_isFound() {
        #expect(
            sentences { $0.readings[0].events.append(shown(2, "m2", 4.2)) } == [
                "Room r1: phone 1 was shown number 2 twice."
            ]
        )
        let again = sentences { room in
            room.readings[1].after = nil
            room.readings[1].events.insert(shown(2, "m2", 5.5), at: 0)
        }
        #expect(again == ["Room r1: phone 1 was shown number 2 again after it connected again."])
    }

    @Test func stepBack_isFound() {
        let found = sentences { room in
            room.readings[0].after = nil
            room.readings[0].events.swapAt(0, 1)
        }
        #expect(found == ["Room r1: phone 1 was shown number 1 after 2."])
    }

    @Test func differentEventsOfOneNumber_areFound() {
        let found = sentences { $0.readings[2].events[1].marker = "m8" }
        #expect(found == ["Room r1: phone 2 was shown another number 3 than the room has."])
        #expect(
            sentences { $0.readings[1].events.append(shown(7, "m7", 12)) }.last
                == "Room r1: phone 1 was shown number 7, which the room does not have."
        )
    }

    @Test func answerWithTheNumberOfAnother_isFound() {
        let found = sentences { $0.sends[2].number = 1 }
        #expect(found.contains("Room r1: \"m3\" was answered as number 1, which is another."))
    }

    @Test func deletedText_isNotShownAfterwards() {
        let found = sentences { $0.readings[2].events.insert(shown(2, "m2", 11), at: 1) }
        #expect(found == ["Room r1: phone 2 was shown message 2 after it was deleted."])
        #expect(
            sentences { $0.table[1].marker = "m2" } == [
                "Room r1: message 2 is deleted, and the table still has its text."
            ]
        )
        let missing = sentences { room in
            room.table.removeLast()
            room.readings[1].events.removeLast()
        }
        #expect(missing == ["Room r1: the deletion of message 2 was acknowledged, and is not there."])
    }

    @Test func storyOfASkippedEvent_hasItsNeighbours() {
        var room = room
        room.readings[1].events.removeFirst()
        let story = RoomsHaveOneOrder.check([room]).violations.first?.story
        #expect(
            story?.map { "\($0.phone) \($0.what)" } == [
                "phone 1 began to read after number 2, until 20.000 s",
                "phone 1 was shown number 4, deleted 2",
                "table has number 3, sent 3 \"m3\"",
            ]
        )
    }
}
