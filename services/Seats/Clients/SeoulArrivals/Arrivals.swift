import ServiceKit
import Subway
import Synchronization

/// Cache of the arrivals API, with at most one response per station of the map. A response is fresh for 10 seconds,
/// concurrent calls for a station share one request, and while the API is unavailable a response up to 2 minutes old is
/// used.
final class Arrivals: Sendable {
    /// Requests the arrivals of a station by its name in the API.
    typealias Fetch = @Sendable (_ name: String) async throws -> [Arrival]
    /// Called with every new response before it is returned.
    typealias Observer = @Sendable (_ name: String, _ arrivals: [Arrival]) async -> Void

    private let freshness: Duration
    private let staleness: Duration
    private let fetch: Fetch
    private let observer: Observer
    private let answers = Mutex<[String: Answer]>([:])
    private let requests = SingleFlight<String, Answer>()

    private struct Answer: Sendable {
        var arrivals: [Arrival]
        var at: ContinuousClock.Instant
    }

    init(
        freshness: Duration = .seconds(10),
        staleness: Duration = .seconds(120),
        fetch: @escaping Fetch,
        observer: @escaping Observer = { _, _ in }
    ) {
        self.freshness = freshness
        self.staleness = staleness
        self.fetch = fetch
        self.observer = observer
    }

    /// The trains approaching a station, of all lines and directions.
    ///
    /// - Throws: `ArrivalsUnavailable` when the API is unavailable and no recent response is cached.
    func at(_ station: Station) async throws(ArrivalsUnavailable) -> [Arrival] {
        let name = station.arrivalsName
        if let kept = kept(name, for: freshness) { return kept }
        do {
            return try await requests.value(for: name) { try await self.ask(name) }.arrivals
        } catch {
            guard let kept = kept(name, for: staleness) else { throw ArrivalsUnavailable() }
            return kept
        }
    }

    private func kept(_ name: String, for age: Duration) -> [Arrival]? {
        answers.withLock(\.[name]).flatMap { $0.at.duration(to: .now) < age ? $0.arrivals : nil }
    }

    private func ask(_ name: String) async throws -> Answer {
        // Another request may have ended since the cache was read.
        if let answer = answers.withLock(\.[name]), answer.at.duration(to: .now) < freshness { return answer }
        let arrivals = try await fetch(name)
        let answer = Answer(arrivals: arrivals, at: .now)
        await observer(name, arrivals)
        answers.withLock { $0[name] = answer }
        return answer
    }
}

/// The arrivals API is unavailable, and no recent response is cached.
struct ArrivalsUnavailable: Error, Sendable, Equatable {}
