import Authentication
import CivilTime
import Contracts
import FoundationEssentials
import People
import Postgres

/// Anlaka's attendance event: once a day of Korea's calendar (contract 4.9).
///
/// Each page carries a token of its own, good for one attendance of whoever it was made for: so nothing that a page holds
/// opens anything else. The access token that the app hands to the page counts as well; it is neither kept nor logged.
struct Attendance: Sendable {
    let tokens: AccessTokens
    private let database: PostgresClient
    private let people: People
    private let now: @Sendable () -> Date
    private let store = AttendanceStore()

    /// Seconds for which a page can be used.
    static let pageLifetime: TimeInterval = 600

    init(database: PostgresClient, people: People, tokens: AccessTokens, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.people = people
        self.tokens = tokens
        self.now = now
    }

    /// What a page of the event is made of.
    struct Page: Sendable {
        /// 256 random bits, in base64url.
        var token: String
        var record: Record
    }

    /// How often somebody has attended.
    struct Record: Sendable, Equatable {
        /// Days in all.
        var days: Int
        /// Whether today's attendance had been recorded before.
        var isToday: Bool
    }

    /// Makes a page for somebody.
    ///
    /// - Throws: `PersonUnknown`.
    func page(for account: Int64) async throws -> Page {
        try await people.person(account)
        let now = now()
        let token = PageToken.make()
        let record = try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            try await store.deletePages(before: now, in: transaction)
            let end = now.addingTimeInterval(Self.pageLifetime)
            try await store.insertPage(PageToken.hash(token), of: account, until: end, in: transaction)
            return try await store.record(of: account, on: SeoulTime.date(of: now), in: transaction)
        }
        return Page(token: token, record: record)
    }

    /// Records that somebody attends today; once a day, however often it is asked for.
    ///
    /// - Parameters:
    ///   - page: the token of a page, which it uses up.
    ///   - access: an access token, which decides when the page's is none, or no longer good.
    /// - Throws: `AttendanceError`; `PersonUnknown`.
    func attend(page: String?, access: String?) async throws -> Record {
        if let hash = page.map(PageToken.hash),
            let account = try await store.account(ofPage: hash, at: now(), in: database),
            let record = try await attend(account, spending: hash)
        {
            return record
        }
        guard let access else { throw AttendanceError.tokenUnknown }
        let account = try await tokens.account(of: access)
        try await people.person(account)
        guard let record = try await attend(account) else { throw AttendanceError.tokenUnknown }
        return record
    }

    /// - Parameter hash: that of a page's token that is to be used up.
    /// - Returns: nil when somebody else has used it up.
    private func attend(_ account: Int64, spending hash: [UInt8]? = nil) async throws -> Record? {
        let now = now()
        let today = SeoulTime.date(of: now)
        return try await database.transaction { transaction in
            // First the person, and then what is theirs, as when they leave.
            try await people.lock(account, in: transaction)
            if let hash, try await !store.deletePage(hash, at: now, in: transaction) { return nil }
            let isNew = try await store.insert(account, on: today, in: transaction)
            var record = try await store.record(of: account, on: today, in: transaction)
            record.isToday = !isNew
            return record
        }
    }
}
