import FoundationEssentials
import Postgres

/// Looks for the trains of journeys when their time has come.
struct Tracker: Sendable {
    let database: PostgresClient
    let journeys: Journeys
    let observe: @Sendable (Journey) async -> Observation

    private let store = JourneyStore()
    /// How long a look may take before another copy of the service looks again, in seconds.
    private static let patience = 20.0

    init(database: PostgresClient, journeys: Journeys, observe: @escaping @Sendable (Journey) async -> Observation) {
        self.database = database
        self.journeys = journeys
        self.observe = observe
    }

    /// - Returns: how many journeys there were, at most `limit`.
    func checkDue(limit: Int) async throws -> Int {
        for journey in try await store.outlived(limit: limit, in: database) {
            try await journeys.end(journey, .expired)
        }
        let due = try await store.takeDue(limit: limit, forSeconds: Self.patience, in: database)
        try await withThrowingDiscardingTaskGroup { group in
            for journey in due { group.addTask { try await check(journey) } }
        }
        return due.count
    }

    private func check(_ journey: Journey) async throws {
        let observation = await observe(journey)
        let now = Date.now
        switch journey.tracking.after(observation, now: now) {
        case .arrived:
            try await journeys.end(journey, .arrived)
        case .underway(let tracking, let isChanged):
            let next = Tracking.nextCheck(expectedArrival: tracking.expectedArrival, now: now, isFirst: false)
            try await journeys.update(journey, tracking, nextCheck: next, isChanged: isChanged)
        }
    }
}
