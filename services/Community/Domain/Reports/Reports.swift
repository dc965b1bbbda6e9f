import Contracts
import FoundationEssentials
import Postgres
import Profiles
import Values

/// Reports of objectionable content. It is hidden from the reporting user at once, and from all users but its author
/// after `hidingCount` reports that count, until an operator decides (`ReportReviews`). Reports of new accounts do not
/// count, so that accounts made for the purpose hide nothing.
struct Reports: Sendable {
    let database: PostgresClient
    let people: People
    /// Number of reporting users after which content is hidden.
    let hidingCount: Int
    /// Seconds for which a reporting account must have existed for its report to count.
    let reporterAge: TimeInterval
    let now: @Sendable () -> Date
    private let store = ReportStore()

    /// Maximum length of a reason in characters.
    static let reasonLimit = 500
    static let usualHidingCount = 5
    static let usualReporterAge: TimeInterval = 86_400

    /// Reports content. Idempotent.
    ///
    /// Locks the row of the content, so that concurrent reports are counted together.
    ///
    /// - Throws: `CommunityError.rule`, also for the caller's own content; the kind's `missing` when it does not
    ///   exist or is hidden; `PersonUnknown`.
    func report(_ subject: ReportSubject, because reason: String, by account: AccountID) async throws {
        guard TypedText.isValid(reason, limit: Self.reasonLimit, manyLines: true) else {
            throw CommunityError.rule("reason must have 1 to \(Self.reasonLimit) characters that can be shown.")
        }
        try await people.person(account)
        try await database.transaction(key: subject.key) { transaction in
            try people.lock(account, in: transaction)
            guard let found = try await store.lock(subject, in: transaction) else { throw subject.kind.missing }
            guard found.author != account else {
                throw CommunityError.rule("What is your own cannot be reported; delete it.")
            }
            let now = now()
            let isFirst = try await store.insert(
                subject,
                found.id,
                by: account,
                because: reason,
                at: now,
                countingIfKnownSince: now - reporterAge,
                in: transaction
            )
            guard isFirst else { return }
            guard !found.isHidden else { throw subject.kind.missing }
            try await store.hide(subject, found.id, reportedBy: hidingCount, at: now, in: transaction)
        }
    }
}
