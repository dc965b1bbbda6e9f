import FoundationEssentials
import Postgres
import Subway

/// Background tracking of the trains of active journeys.
struct JourneyTracker: Sendable {
    let database: PostgresClient
    let journeys: Journeys
    let map: LineMap
    let arrivals: Arrivals

    private let store = JourneyStore()
    private let failed = DeferredRows<JourneyID>()
    /// Timeout of a check in seconds, after which another replica may repeat it.
    private static let timeout = 20.0

    /// Ends outdated journeys and checks the due ones. Journeys of which the handling fails hold up no others: they are due
    /// again later.
    ///
    /// - Returns: the number of journeys checked, at most `limit`.
    /// - Throws: The first failure, after all others have been handled.
    func checkDue(limit: Int) async throws -> Int {
        let outlived = try await store.outlived(limit: limit, except: failed.current, in: database)
        var failure: (any Error)?
        do {
            try await outlived.attemptEach(deferring: failed, by: \.id) { try await journeys.end($0, .expired) }
        } catch {
            failure = error
        }
        let due = try await store.takeDue(limit: limit, forSeconds: Self.timeout, in: database)
        let checks = due.map { journey in Task { try await check(journey) } }
        try await withTaskCancellationHandler {
            try await checks.attemptEach { try await $0.value }
        } onCancel: {
            for check in checks { check.cancel() }
        }
        if let failure { throw failure }
        return due.count
    }

    private func check(_ journey: Journey) async throws {
        let observation = await observation(of: journey)
        let now = Date.now
        switch journey.tracking.after(observation, now: now) {
        case .arrived:
            try await journeys.end(journey, .arrived)
        case .underway(let tracking, let isChanged):
            let next = Tracking.nextCheck(expectedArrival: tracking.expectedArrival, now: now, isFirst: false)
            try await journeys.update(journey, tracking, nextCheck: next, isChanged: isChanged)
        }
    }

    /// Searches the arrivals of the destination station for the train.
    private func observation(of journey: Journey) async -> Tracking.Observation {
        guard let train = journey.train, let station = map.station(journey.end),
            let route = map.route(from: journey.start, to: journey.end),
            let board = try? await arrivals.at(station)
        else { return .unavailable }
        return Tracking.Observation(of: train.text, on: route, board: board, map: map, now: .now)
    }
}
