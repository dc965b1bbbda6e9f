import ServiceKit
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct SingleFlightTests {
    private struct Failed: Error {}

    @Test func concurrentCalls_ofOneKey_shareOneExecution() async throws {
        let flights = SingleFlight<String, Int>()
        let executions = Mutex(0)
        let gate = AsyncStream<Void>.makeStream()
        let call: @Sendable () async throws -> Int = {
            let number = executions.withLock { count in
                count += 1
                return count
            }
            for await _ in gate.stream { break }
            return number
        }
        let first = Task { try await flights.value(for: "a", call) }
        while executions.withLock({ $0 }) == 0 { await Task.yield() }
        let second = Task { try await flights.value(for: "a", call) }
        let other = Task { try await flights.value(for: "b") { 7 } }
        #expect(try await other.value == 7)
        // A caller that is cancelled does not end the execution for the others.
        first.cancel()
        for _ in 0..<100 { await Task.yield() }
        gate.continuation.yield()
        #expect(try await second.value == 1)
        #expect(try await first.value == 1)
        gate.continuation.yield()
        #expect(try await flights.value(for: "a", call) == 2)
    }

    @Test func failure_isNotKept() async throws {
        let flights = SingleFlight<Int, Int>()
        await #expect(throws: Failed.self) { try await flights.value(for: 1) { throw Failed() } }
        #expect(try await flights.value(for: 1) { 2 } == 2)
    }
}
