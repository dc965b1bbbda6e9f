import Contracts
import FoundationEssentials
import Synchronization
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(1))) struct PresenceWriterTests {
    private final class Table: Sendable {
        struct Away: Error {}

        let batches = Mutex<[Int]>([])
        let rooms = Mutex<[UUID: RoomID]>([:])
        let isOpen = Mutex(false)

        /// Waits until the table is open; the third write fails.
        func write(_ presences: [Presence]) async throws {
            rooms.withLock { rooms in for presence in presences { rooms[presence.id] = presence.room } }
            let number = batches.withLock { batches in
                batches.append(presences.count)
                return batches.count
            }
            while !isOpen.withLock(\.self) { try await Task.sleep(for: .milliseconds(2)) }
            if number == 3 { throw Away() }
        }
    }

    private static func presence(_ socket: UUID = UUID(), in room: RoomID = 1) -> Presence {
        Presence(id: socket, account: 1, room: room, isReading: true)
    }

    @Test func presences_duringWrite_areOneBatch() async throws {
        let table = Table()
        let writer = PresenceWriter(write: table.write)
        let first = Task { try await writer.save(Self.presence()) }
        try await eventually { table.batches.withLock { $0 } == [1] }
        let others = (0..<500).map { _ in Task { try await writer.save(Self.presence()) } }
        while await writer.count < 500 { try await Task.sleep(for: .milliseconds(2)) }
        table.isOpen.withLock { $0 = true }
        for save in [first] + others { try await save.value }
        #expect(table.batches.withLock { $0 } == [1, 500])
        await #expect(throws: Table.Away.self) { try await writer.save(Self.presence()) }
        try await writer.save(Self.presence())
        #expect(table.batches.withLock { $0 } == [1, 500, 1, 1])
    }

    @Test func socket_inTwoRoomsOfBatch_isInLast() async throws {
        let (table, socket) = (Table(), UUID())
        let writer = PresenceWriter(write: table.write)
        let first = Task { try await writer.save(Self.presence()) }
        try await eventually { table.batches.withLock { $0 } == [1] }
        var moves: [Task<Void, any Error>] = []
        for room in [7, 8, 9] as [RoomID] {
            moves.append(Task { try await writer.save(Self.presence(socket, in: room)) })
            while await writer.count < moves.count { try await Task.sleep(for: .milliseconds(2)) }
        }
        table.isOpen.withLock { $0 = true }
        for save in [first] + moves { try await save.value }
        #expect(table.batches.withLock { $0 } == [1, 1])
        #expect(table.rooms.withLock { $0[socket] } == 9)
    }
}
