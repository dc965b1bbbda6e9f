import FoundationEssentials
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
    private let state = Mutex(State())

    private struct Answer: Sendable {
        var arrivals: [Arrival]
        var at: ContinuousClock.Instant
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var flights: [String: Task<Answer, any Error>] = [:]
    }

    private enum Step {
        case have([Arrival])
        case wait(Task<Answer, any Error>)
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
        switch step(name) {
        case .have(let arrivals): return arrivals
        case .wait(let flight):
            if case .success(let answer) = await flight.result { return answer.arrivals }
            guard let kept = state.withLock({ $0.answers[name] }), kept.at.duration(to: .now) <= staleness else {
                throw ArrivalsUnavailable()
            }
            return kept.arrivals
        }
    }

    private func step(_ name: String) -> Step {
        state.withLock { state in
            if let answer = state.answers[name], answer.at.duration(to: .now) < freshness {
                return .have(answer.arrivals)
            }
            if let flight = state.flights[name] { return .wait(flight) }
            // An unstructured task, so that the cancellation of one caller does not affect the others.
            let flight = Task { try await self.ask(name) }
            state.flights[name] = flight
            return .wait(flight)
        }
    }

    private func ask(_ name: String) async throws -> Answer {
        let result: Result<Answer, any Error>
        do {
            let arrivals = try await fetch(name)
            let answer = Answer(arrivals: arrivals, at: .now)
            await observer(name, arrivals)
            result = .success(answer)
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            state.flights[name] = nil
            if case .success(let answer) = result { state.answers[name] = answer }
        }
        return try result.get()
    }
}

/// The arrivals API is unavailable, and no recent response is cached.
struct ArrivalsUnavailable: Error, Sendable, Equatable {}
