import FoundationEssentials
import People
import Postgres
import TypedText

/// What people report as not fit to be shown. It is hidden from who has reported it at once, and from all but its author
/// when enough people have.
struct Reports: Sendable {
    let database: PostgresClient
    let people: People
    /// So many people hide something from all.
    let hidingCount: Int
    let now: @Sendable () -> Date
    private let store = ReportStore()

    /// How many characters a reason may have.
    static let reasonLimit = 500
    static let usualHidingCount = 5

    init(database: PostgresClient, people: People, hidingCount: Int, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.people = people
        self.hidingCount = hidingCount
        self.now = now
    }

    /// Reports something. Reported again it changes nothing.
    ///
    /// Whoever reports holds the row of what it is about, so that the last of enough people sees the reports of all others.
    ///
    /// - Throws: `CommunityError.rule`, also for what is the caller's own; what the subject says for what is not there, or
    ///   hidden already; `PersonUnknown`.
    func report(_ subject: ReportSubject, because reason: String, by account: Int64) async throws {
        guard TypedText.isFine(reason, limit: Self.reasonLimit, manyLines: true) else {
            throw CommunityError.rule("reason must have 1 to \(Self.reasonLimit) characters that can be shown.")
        }
        try await people.person(account)
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            guard let found = try await store.lock(subject, for: account, in: transaction),
                !found.isHidden || found.isReported || found.author == account
            else { throw subject.missing }
            guard found.author != account else {
                throw CommunityError.rule("What is your own cannot be reported; delete it.")
            }
            guard !found.isReported else { return }
            try await store.insert(subject, found.id, by: account, because: reason, at: now(), in: transaction)
            try await store.hide(subject, found.id, reportedBy: hidingCount, at: now(), in: transaction)
        }
    }
}
