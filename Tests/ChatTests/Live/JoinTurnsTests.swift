import Synchronization
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(1))) struct JoinTurnsTests {
    private final class Room: Sendable {
        struct Full: Error {}

        let joining = Mutex(0)
        let order = Mutex<[Int]>([])
        let isOpen = Mutex(false)

        /// Waits until the room is open; the third one fails.
        func join(_ number: Int) async throws {
            joining.withLock { $0 += 1 }
            order.withLock { $0.append(number) }
            defer { joining.withLock { $0 -= 1 } }
            while !isOpen.withLock(\.self) { try await Task.sleep(for: .milliseconds(2)) }
            if number == 3 { throw Full() }
        }
    }

    @Test func joins_atOnce_areLimited_andInOrder() async throws {
        let (turns, room) = (JoinTurns(limit: 2), Room())
        var joins: [Task<Void, any Error>] = []
        for number in 0..<20 {
            joins.append(Task { try await turns.take { try await room.join(number) } })
            let expected = max(0, number - 1)
            if number < 2 {
                try await eventually { room.joining.withLock { $0 } == number + 1 }
            } else {
                while await turns.count < expected { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        #expect(room.joining.withLock { $0 } == 2)
        room.isOpen.withLock { $0 = true }
        for (number, join) in joins.enumerated() {
            if number == 3 {
                await #expect(throws: Room.Full.self) { try await join.value }
            } else {
                try await join.value
            }
        }
        #expect(Set(room.order.withLock { $0 }) == Set(0..<20))
        #expect(room.order.withLock { $0.prefix(3) } == [0, 1, 2])
    }

    @Test func failedJoin_givesItsTurnBack() async throws {
        let turns = JoinTurns(limit: 1)
        for _ in 0..<3 {
            await #expect(throws: Room.Full.self) { try await turns.take { throw Room.Full() } }
        }
        #expect(try await turns.take { 7 } == 7)
    }

    @Test func closedSocket_doesNotJoin_andKeepsNoTurn() async throws {
        let (turns, room) = (JoinTurns(limit: 1), Room())
        let first = Task { try await turns.take { try await room.join(0) } }
        try await eventually { room.joining.withLock { $0 } == 1 }
        let closed = Task { try await turns.take { try await room.join(1) } }
        while await turns.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
        closed.cancel()
        room.isOpen.withLock { $0 = true }
        try await first.value
        await #expect(throws: CancellationError.self) { try await closed.value }
        try await turns.take { try await room.join(2) }
        #expect(room.order.withLock { $0 } == [0, 2])
    }
}
