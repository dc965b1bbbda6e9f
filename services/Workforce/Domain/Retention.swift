import FoundationEssentials
import Postgres
import Values

/// Deletes records when their use ends.
///
/// | records | kept for | source |
/// |---|---|---|
/// | invite codes, invalid attempts | until they expire | |
/// | completed tasks of a shift, with its links to routines | a year after the shift | |
/// | shifts, wages and months of a withdrawn account | three years, and while the owner lists the worker | Labor Standards Act, article 42 |
///
/// All other shifts and months belong to an account that can read them (MOUP contract 3, payslips).
struct Retention: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date

    private static let year: TimeInterval = 366 * 86_400

    /// Deletes invite codes and invalid attempts that have expired.
    func deleteExpired() async throws {
        let store = RetentionStore(database: database)
        try await store.deleteInviteCodes(expiredBefore: now())
        try await store.deleteFailedLookups(before: now() - Invitations.triesPeriod)
    }

    /// Deletes records that are old.
    func deleteOld() async throws {
        let (store, now) = (RetentionStore(database: database), now())
        let yearAgo = now - Self.year
        try await store.deleteCompletions(before: yearAgo, ofShiftsBefore: SeoulTime.date(of: yearAgo))
        try await store.deleteUnseenWorkers(partedBefore: now - 3 * Self.year)
        try await store.deleteEmptyWorkplaces(endedBefore: now - 3 * Self.year)
    }
}
