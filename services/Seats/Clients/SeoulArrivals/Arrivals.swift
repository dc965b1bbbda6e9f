import Postgres
import ServiceKit
import Subway
import Synchronization

/// The arrivals at stations, from an API with a daily quota. All copies of the service share its answers: one of them asks
/// about a station at a time, and the others use the stored answer (SeatCatcher contract 6, W14).
final class Arrivals: Sendable {
    /// Requests the arrivals of a station by its name in the API.
    typealias Fetch = @Sendable (_ name: String) async throws -> [Arrival]
    /// Called with every new response before it is returned.
    typealias Observer = @Sendable (_ name: String, _ arrivals: [Arrival]) async -> Void

    private let database: PostgresClient
    private let policy: ArrivalsPolicy
    private let fetch: Fetch
    private let observer: Observer
    private let store = ArrivalsStore()
    /// Answers that this copy has got, so that most questions read nothing.
    private let answers = Mutex<[String: Answer]>([:])
    private let watchers = StationWatchers()
    private let requests = SingleFlight<String, Answer>()

    private struct Answer: Sendable {
        var arrivals: [Arrival]
        var at: ContinuousClock.Instant
        var freshness: Double

        var age: Double { at.duration(to: .now) / .seconds(1) }
    }

    init(
        database: PostgresClient,
        policy: ArrivalsPolicy = ArrivalsPolicy(),
        fetch: @escaping Fetch,
        observer: @escaping Observer = { _, _ in }
    ) {
        self.database = database
        self.policy = policy
        self.fetch = fetch
        self.observer = observer
    }

    /// The trains approaching a station, of all lines and directions.
    ///
    /// - Throws: `ArrivalsUnavailable` when the API is unavailable and there is no recent answer.
    func at(_ station: Station) async throws(ArrivalsUnavailable) -> [Arrival] {
        let name = station.arrivalsName
        let watchers = watchers.count(name)
        if let kept = answers.withLock({ $0[name] }), kept.age < kept.freshness { return kept.arrivals }
        do {
            return try await requests.value(for: name) { try await self.answer(about: name, watchers) }.arrivals
        } catch {
            guard let kept = answers.withLock({ $0[name] }), kept.age < policy.staleness else {
                throw ArrivalsUnavailable()
            }
            return kept.arrivals
        }
    }

    private func answer(about name: String, _ watchers: Int) async throws -> Answer {
        while true {
            let state = try await store.state(of: name, in: database)
            let freshness = policy.freshness(watchers: watchers, usage: state.usage)
            let isBlocked = state.isPaused || state.usage.calls >= policy.dailyCalls
            if let (arrivals, age) = state.answer,
                age < (state.isAsked || isBlocked ? max(freshness, policy.staleness) : freshness)
            {
                return keep(arrivals, age, freshness, of: name)
            }
            guard !isBlocked else { throw ArrivalsUnavailable() }
            guard state.isAsked else {
                if let arrivals = try await ask(name, freshness) { return keep(arrivals, 0, freshness, of: name) }
                continue
            }
            // Another copy asks, and there is nothing to use meanwhile.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Asks the API, unless another copy does.
    ///
    /// - Returns: nil when another copy asks.
    private func ask(_ name: String, _ freshness: Double) async throws -> [Arrival]? {
        guard try await store.take(name, for: policy.lease, freshness: freshness, in: database) else { return nil }
        do {
            guard try await store.takeCall(limit: policy.dailyCalls, policy, in: database) else {
                throw ArrivalsUnavailable()
            }
            let arrivals = try await called(name)
            await observer(name, arrivals)
            try await store.save(arrivals, of: name, in: database)
            return arrivals
        } catch {
            try await store.release(name, in: database)
            throw error
        }
    }

    private func called(_ name: String) async throws -> [Arrival] {
        do {
            return try await fetch(name)
        } catch {
            try await database.transaction { try await store.fail(policy, in: $0) }
            throw error
        }
    }

    private func keep(_ arrivals: [Arrival], _ age: Double, _ freshness: Double, of name: String) -> Answer {
        let answer = Answer(arrivals: arrivals, at: .now - .seconds(age), freshness: freshness)
        answers.withLock { $0[name] = answer }
        return answer
    }
}

/// The arrivals API is unavailable, and there is no recent answer.
struct ArrivalsUnavailable: Error, Sendable, Equatable {}

/// The recent questions about each station in this copy of the service.
private final class StationWatchers: Sendable {
    private let times = Mutex<[String: [ContinuousClock.Instant]]>([:])

    /// Records a question.
    ///
    /// - Returns: the number in the last minute, at most `ArrivalsPolicy.manyWatchers`.
    func count(_ name: String) -> Int {
        let now = ContinuousClock.now
        return times.withLock { times in
            var recent = times[name, default: []].filter { $0.duration(to: now) < .seconds(60) }
            recent.append(now)
            times[name] = recent.suffix(ArrivalsPolicy.manyWatchers)
            return min(recent.count, ArrivalsPolicy.manyWatchers)
        }
    }
}
