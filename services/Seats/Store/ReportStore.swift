import Contracts
import Postgres

/// SQL of reports.
struct ReportStore: Sendable {
    /// Maximum number of reports in a list.
    private static let limit = 1000

    /// Ignores a report that equals an existing one.
    func insert(_ new: NewReport, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO reports (reporter_id, reported_id, reason)
            VALUES (\(new.reporter), \(new.reported), \(new.reason)) ON CONFLICT DO NOTHING
            """
        )
    }

    /// The newest reports, newest first.
    func reports(by reporter: AccountID, in database: some Querying) async throws -> [Report] {
        try await database.all(
            "\(Self.select) WHERE r.reporter_id = \(reporter) ORDER BY r.id DESC LIMIT \(Self.limit)"
        ) { Report(try $0.decode(as: Report.Columns.self)) }
    }

    func report(id: ReportID, in database: some Querying) async throws -> Report? {
        try await database.optional("\(Self.select) WHERE r.id = \(id)") {
            Report(try $0.decode(as: Report.Columns.self))
        }
    }

    /// The reporter of a report, its row locked until the transaction ends.
    func reporter(ofReport id: ReportID, lockedIn transaction: PostgresTransaction) async throws -> AccountID? {
        try await transaction.optional("SELECT reporter_id FROM reports WHERE id = \(id) FOR UPDATE") {
            try $0.decode(AccountID.self)
        }
    }

    /// - Returns: false when the reported user is withdrawn and the change names no other.
    /// - Throws: `PassengerError.reportRepeated`.
    func update(id: ReportID, _ change: ReportChange, in database: some Querying) async throws -> Bool {
        do {
            let changed = try await database.execute(
                """
                UPDATE reports SET reported_id = coalesce(\(change.reported), reported_id),
                    reason = coalesce(\(change.reason), reason)
                WHERE id = \(id) AND coalesce(\(change.reported), reported_id) IS NOT NULL
                """
            )
            return changed == 1
        } catch let error as PostgresError where error.violates("reports_reporter_id_reported_id_reason_key") {
            throw PassengerError.reportRepeated
        }
    }

    func delete(id: ReportID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM reports WHERE id = \(id)")
    }

    /// The columns of `Report.Columns`.
    private static let select: SQL = """
        SELECT r.id, r.reporter_id, reporter.nickname, r.reported_id, reported.nickname, r.reason
        FROM reports r
        JOIN passengers reporter ON reporter.account_id = r.reporter_id
        LEFT JOIN passengers reported ON reported.account_id = r.reported_id
        """
}

extension Report {
    /// Id, reporter and name, reported user and name, reason.
    fileprivate typealias Columns = (ReportID, AccountID, String, AccountID?, String?, String)

    fileprivate init(_ columns: Columns) {
        self.init(
            id: columns.0,
            reporter: Person(account: columns.1, name: columns.2),
            reported: columns.3.map { Person(account: $0, name: columns.4 ?? "") },
            reason: columns.5
        )
    }
}
