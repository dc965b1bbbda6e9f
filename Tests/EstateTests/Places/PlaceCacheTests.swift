import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PlaceCacheTests {
    private struct Away: Error {}

    private final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock(\.self) }

        func increase() { number.withLock { $0 += 1 } }
    }

    private func cache(_ now: Date = .now) -> PlaceCache { PlaceCache(database: TestDatabase.current.client) { now } }

    @Test func concurrentQuestions_callProviderOnce() async throws {
        let cache = cache()
        let asked = Count()
        let (started, release) = (Rendezvous(2), Rendezvous(2))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await cache.answer(to: "x", freshness: 60) {
                        asked.increase()
                        await started.arrive()
                        await release.arrive()
                        return 7
                    }
                }
            }
            await started.arrive()
            await release.arrive()
            for try await answer in group { #expect(answer == 7) }
        }
        #expect(asked.value == 1)
    }

    @Test func cancelledCaller_doesNotCancelOthers() async throws {
        let cache = cache()
        let (started, release) = (Rendezvous(2), Rendezvous(2))
        let impatient = Task {
            try await cache.answer(to: "x", freshness: 60) {
                await started.arrive()
                await release.arrive()
                try Task.checkCancellation()
                return 7
            }
        }
        await started.arrive()
        impatient.cancel()
        await release.arrive()
        #expect(try await cache.answer(to: "x", freshness: 60) { 8 } == 7)
    }

    @Test func failures_areNotCached() async throws {
        let cache = cache()
        await #expect(throws: EstateError.placesUnavailable) {
            try await cache.answer(to: "x", freshness: 60) { () throws -> Int in throw Away() }
        }
        #expect(try await cache.answer(to: "x", freshness: 60) { 1 } == 1)
    }

    @Test func replicas_shareCachedAnswers() async throws {
        #expect(try await cache().answer(to: "x", freshness: 60) { 1 } == 1)
        #expect(try await cache().answer(to: "x", freshness: 60) { 2 } == 1)
        #expect(try await cache(.now + 61).answer(to: "x", freshness: 60) { 3 } == 3)
        #expect(try await cache(.now + 62).answer(to: "x", freshness: 60) { 4 } == 3)
    }

    @Test func prune_removesOldAndSurplusAnswers() async throws {
        for day in 0..<6 {
            let cache = cache(.now - Double(day) * 86_400)
            _ = try await cache.answer(to: "\(day)", freshness: 60) { day }
        }
        _ = try await cache(.now - 91 * 86_400).answer(to: "ancient", freshness: 60) { 99 }
        func left() async throws -> [String] {
            try await TestDatabase.current.client.all("SELECT question FROM place_answers ORDER BY question") {
                try $0.decode(String.self)
            }
        }
        try await cache().prune()
        #expect(try await left() == ["0", "1", "2", "3", "4", "5"])
        try await cache().prune(limit: 4)
        #expect(try await left() == ["0", "1", "2", "3"])
        try await cache().prune(limit: 4)
        #expect(try await left() == ["0", "1", "2", "3"])
    }
}
