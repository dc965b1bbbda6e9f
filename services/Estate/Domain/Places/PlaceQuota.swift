import Contracts
import FoundationEssentials
import Postgres
import Values

/// A budget of requests to Kakao's search per day in Seoul, for each account and for all, shared by all replicas. Cached
/// responses cost nothing.
struct PlaceQuota: Sendable {
    let database: PostgresClient
    /// Requests of one account per day.
    let perAccount: Int
    /// All requests per day, those of background jobs included.
    let perDay: Int
    let now: @Sendable () -> Date
    private let store = PlaceRequestStore()

    /// A fraction of Kakao's daily quota that one account does not need in ordinary use.
    static let usualPerAccount = 500
    /// Kakao's daily quota for an app.
    static let usualPerDay = 100_000

    /// Takes one request from the budget.
    ///
    /// - Parameter account: nil for a background job.
    /// - Throws: `EstateError.placesExhausted`.
    func take(by account: AccountID?) async throws {
        let day = SeoulTime.date(of: now())
        if let account, try await !store.count(account, on: day, limit: perAccount, in: database) {
            throw EstateError.placesExhausted
        }
        guard try await store.count(.everyone, on: day, limit: perDay, in: database) else {
            throw EstateError.placesExhausted
        }
    }

    /// Deletes the counts of earlier days.
    func prune() async throws {
        try await store.prune(before: SeoulTime.date(of: now()), in: database)
    }
}

extension AccountID {
    /// The number under which all requests of a day are counted.
    fileprivate static let everyone = AccountID(rawValue: 0)
}
