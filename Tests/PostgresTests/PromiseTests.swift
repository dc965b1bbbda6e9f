import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(1)))
struct PromiseTests {
    private struct Refusal: Error {}

    private func settle(_ shared: SharedPromise<Int>, _ value: Int) -> Bool { shared.promise.settle(.success(value)) }
    private func isOpen(_ shared: SharedPromise<Int>) -> Bool { shared.promise.isOpen }

    @Test func firstSettlement_wins() async throws {
        let early = SharedPromise<Int>()
        #expect(isOpen(early))
        #expect(settle(early, 1))
        #expect(!settle(early, 2))
        #expect(!isOpen(early))
        let value = try await early.promise.value
        #expect(value == 1)
        #expect(!settle(early, 3))
    }

    @Test func settlement_resumesWaiter() async throws {
        let late = SharedPromise<Int>()
        let waiter = Task { try await late.promise.value() }
        try await Task.sleep(for: .milliseconds(5))
        late.promise.settle(.failure(Refusal()))
        await #expect(throws: Refusal.self) { try await waiter.value }
    }

    @Test func cancellation_settlesPromise() async throws {
        let never = SharedPromise<Int>()
        let cancelled = SharedPromise<Void>()
        let task = Task { try await never.promise.value { cancelled.promise.settle(.success(())) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await cancelled.promise.value
        #expect(!settle(never, 1))
    }

    @Test func concurrentSettlements_haveOneWinner() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2000 {
                group.addTask {
                    let raced = SharedPromise<Int>()
                    async let one = raced.promise.settle(.success(1))
                    async let two = raced.promise.settle(.success(2))
                    let value = try? await raced.promise.value
                    let winners = await (one, two)
                    #expect(winners.0 != winners.1)
                    #expect(value == (winners.0 ? 1 : 2))
                }
            }
        }
    }
}
