import FoundationEssentials
import Subway
import Synchronization

/// What the arrivals service says of each station, asked for once for everybody: an answer is good for 10 seconds,
/// questions for one station share one call, and while the service is away an answer up to 2 minutes old serves.
///
/// It keeps at most one answer per station of the map.
final class Arrivals: Sendable {
    /// Asks the service for a station by the service's own name for it; throws when there is no answer.
    typealias Fetch = @Sendable (_ name: String) async throws -> [Arrival]
    /// Hears of every new answer before anybody gets it.
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

    /// All trains that come to a station, of every line and direction.
    ///
    /// - Throws: `ArrivalsUnavailable` when the service is away and nothing is kept.
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
            // On its own, so that one who gives up takes nothing from the others who wait.
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

/// The arrivals service gives no answer, and none is kept.
struct ArrivalsUnavailable: Error, Sendable, Equatable {}
