import Contracts
import FoundationEssentials
import Postgres
import Synchronization

/// The number of With Suhyeon's users, cached for a minute.
final class MemberCount: Sendable {
    private let database: PostgresClient
    private let now: @Sendable () -> Date
    private let last = Mutex<(people: Int, at: Date)?>(nil)
    private let store = CompanionPostStore()

    /// Seconds.
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
