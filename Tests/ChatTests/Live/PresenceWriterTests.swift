import FoundationEssentials
import Synchronization
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(1))) struct PresenceWriterTests {
    private final class Table: Sendable {
        struct Away: Error {}

        let batches = Mutex<[Int]>([])
        let isOpen = Mutex(false)

        /// Waits until the table is open; the third write fails.
        func write(_ presences: [Presence]) async throws {
            let number = batches.withLock { batches in
                batches.append(presences.count)
                return batches.count
            }
            while !isOpen.withLock(\.self) { try await Task.sleep(for: .milliseconds(2)) }
            if number == 3 { throw Away() }
        }
    }

    private static func presence() -> Presence { Presence(id: UUID(), account: 1, room: 1, isReading: true) }

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
}
