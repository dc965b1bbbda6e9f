import Authentication
import Contracts
import FoundationEssentials
import Postgres
import Profiles
import Values

/// Anlaka's attendance event: once per day of Korea's calendar (contract 4.9).
///
/// Each page has its own token for one attendance of one account, so the content of a page gives no other access. The
/// access token that the app passes to the page is accepted, too: the gateway verifies it and forwards the account.
struct Attendance: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = AttendanceStore()

    /// Days for which each attendance has a row; earlier ones are counted.
    static let daysKept = 365
    /// Seconds for which a page is valid.
    static let pageLifetime: TimeInterval = 600

    /// The content of the event's page.
    struct Page: Sendable {
        /// 256 random bits, in base64url.
        var token: String
        var record: Record
    }

    /// The attendances of an account.
    struct Record: Sendable, Equatable {
        /// Number of days attended.
        var days: Int
        /// Whether today's attendance had been recorded before.
        var isToday: Bool
    }

    /// Creates a page for an account.
    ///
    /// - Throws: `PersonUnknown`.
    func page(for account: AccountID) async throws -> Page {
        try await people.person(account)
        let now = now()
        let token = PageToken.make()
        let record = try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            try await store.deletePages(before: now, in: transaction)
            let end = now.addingTimeInterval(Self.pageLifetime)
            try await store.insertPage(PageToken.hash(token), of: account, until: end, in: transaction)
            return try await store.record(of: account, on: SeoulTime.date(of: now), in: transaction)
        }
        return Page(token: token, record: record)
    }

    /// Records today's attendance. Idempotent within a day.
    ///
    /// - Parameters:
    ///   - page: A page's token, which is used up.
    ///   - account: The account of the request's access token, for which the attendance is recorded when there is no
    ///     valid page token.
    /// - Throws: `AttendanceError`; `PersonUnknown`.
    func attend(page: String?, account: AccountID?) async throws -> Record {
        if let hash = page.map(PageToken.hash),
            let account = try await store.account(ofPage: hash, at: now(), in: database),
            let record = try await attend(account, spending: hash)
        {
            return record
        }
        guard let account else { throw AttendanceError.tokenUnknown }
        try await people.person(account)
        guard let record = try await attend(account) else { throw AttendanceError.tokenUnknown }
        return record
    }

    /// Counts old attendances together.
    func foldOld(inBatchesOf size: Int = 1_000) async throws {
        let first = SeoulTime.date(of: now()) + -Self.daysKept
        try await store.fold(before: first, inBatchesOf: size, in: database)
    }

    /// - Parameter hash: Hash of the page token to be used up.
    /// - Returns: nil when a concurrent request has used it.
    private func attend(_ account: AccountID, spending hash: [UInt8]? = nil) async throws -> Record? {
        let now = now()
        let today = SeoulTime.date(of: now)
        return try await database.transaction(key: "account \(account)") { transaction in
            // Locks the account before its rows, in the same order as the withdrawal.
            try people.lock(account, in: transaction)
            if let hash, try await !store.deletePage(hash, at: now, in: transaction) { return nil }
            let isNew = try await store.insert(account, on: today, in: transaction)
            var record = try await store.record(of: account, on: today, in: transaction)
            record.isToday = !isNew
            return record
        }
    }
}
