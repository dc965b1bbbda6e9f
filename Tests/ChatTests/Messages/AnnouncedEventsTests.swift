import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Chat

@Suite struct AnnouncedEventsTests {
    private static func event(_ sequence: Int64, _ content: String, files: [String] = []) -> RoomEvent {
        let at = Date(timeIntervalSince1970: 1_800_000_000.123456)
        let message = Message(
            room: 7,
            sequence: sequence,
            sender: 9,
            content: content,
            files: files,
            createdAt: at
        )
        return RoomEvent(sequence: sequence, kind: .sent, at: at, message: message)
    }

    private static var changed: RoomEvent {
        let date = Date(timeIntervalSince1970: 1_800_000_000.5)
        var message = Message(room: 7, sequence: 3, sender: 8, content: "", clientID: "", createdAt: date)
        (message.editedAt, message.deletedAt) = (date + 1, date + 2)
        return RoomEvent(
            sequence: 12,
            kind: .deleted,
            at: date + 2,
            message: message,
            trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        )
    }

    static let events = [
        [event(1, "말 \u{301}\n=,/\r\n")], [event(1, "", files: ["a.jpg", "", "b"]), changed, event(13, "끝")],
    ]

    @Test(arguments: events)
    func events_areReadAsTheyWereWritten(events: [RoomEvent]) throws {
        let text = try #require(AnnouncedEvents.text(events))
        let read = AnnouncedEvents.events(text[...], in: 7)
        #expect(read.map(\.message.content) == events.map(\.message.content))
        #expect(AnnouncedEvents.text(read) == text)
        for (one, other) in zip(read, events) {
            #expect(
                (one.sequence, one.kind, one.message.sequence) == (other.sequence, other.kind, other.message.sequence)
            )
            #expect(one.trace == other.trace)
            #expect((one.message.files, one.message.clientID) == (other.message.files, other.message.clientID))
            #expect(abs(one.at.timeIntervalSince(other.at)) < 0.000_001)
            #expect(
                (one.message.editedAt == nil, one.message.deletedAt == nil) == (one.kind == .sent, one.kind == .sent)
            )
        }
    }

    @Test func longEvents_areLeftOut() {
        #expect(AnnouncedEvents.text([Self.event(1, String(repeating: "x", count: 17_000))]) == nil)
        #expect(AnnouncedEvents.text(Array(repeating: Self.event(1, "x"), count: 200)) == nil)
        #expect(AnnouncedEvents.text([]) == nil)
    }

    @Test func malformedText_hasNoEvents() throws {
        let text = try #require(AnnouncedEvents.text([Self.event(1, "a", files: ["b"]), Self.event(2, "c")]))
        let bytes = Array(text.utf8)
        #expect(AnnouncedEvents.events("", in: 7).isEmpty)
        for end in 0..<bytes.count {
            let part = String(decoding: bytes[..<end], as: UTF8.self)
            // A text that is cut in the last field is as valid as a shorter one.
            #expect(AnnouncedEvents.events(part[...], in: 7).count <= 2)
        }
        for other in ["x", "-1", "99"] {
            let changed = text.replacing("\01\0b\0", with: "\0\(other)\0b\0")
            #expect(AnnouncedEvents.events(changed[...], in: 7).isEmpty)
        }
    }
}
