import Contracts
import FoundationEssentials
import Postgres
import Synchronization

/// How many people With Suhyeon has, counted once a minute.
final class Headcount: Sendable {
    private let database: PostgresClient
    private let now: @Sendable () -> Date
    private let last = Mutex<(people: Int, at: Date)?>(nil)
    private let store = CompanionPostStore()

    /// Seconds for which a count is told.
    private static let freshness: TimeInterval = 60

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    func people() async throws -> Int {
        let now = now()
        if let last = last.withLock(\.self), abs(now.timeIntervalSince(last.at)) < Self.freshness {
            return last.people
        }
        let people = try await store.countPeople(in: database)
        last.withLock { $0 = (people, now) }
        return people
    }
}
