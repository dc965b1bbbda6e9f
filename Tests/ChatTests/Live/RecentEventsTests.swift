import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Chat

@Suite struct RecentEventsTests {
    private static func event(_ sequence: Int64, in room: RoomID = 5) -> RoomEvent {
        let message = Message(room: room, sequence: sequence, sender: 9, content: "", createdAt: .now)
        return RoomEvent(sequence: sequence, kind: .sent, at: .now, message: message)
    }

    private static func sequences(_ recent: RecentEvents, _ after: Int64, _ through: Int64) -> [Int64]? {
        recent.events(in: EventRange(room: 5, after: after, through: through))?.map(\.sequence)
    }

    @Test func events_inRange_areReturnedInOrder() {
        let recent = RecentEvents()
        recent.append([3, 4, 6].map { Self.event($0) })
        recent.append([Self.event(5), Self.event(4, in: 8)])
        #expect(Self.sequences(recent, 2, 6) == [3, 4, 5, 6])
        #expect(Self.sequences(recent, 4, 5) == [5])
        #expect(Self.sequences(recent, 1, 6) == nil)
        #expect(Self.sequences(recent, 5, 7) == nil)
        #expect(recent.events(in: EventRange(room: 9, after: 0, through: 1)) == nil)
    }

    @Test func append_keepsTheLastEvents() {
        let recent = RecentEvents()
        for sequence in 1...1000 as ClosedRange<Int64> { recent.append([Self.event(sequence)]) }
        #expect(Self.sequences(recent, 900, 1000)?.count == 100)
        #expect(Self.sequences(recent, 0, 1) == nil)
    }
}
