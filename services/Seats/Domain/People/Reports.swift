import Postgres

/// Reports: made, read, changed and taken back by those who made them, and by nobody else. What is to be done about them
/// is for administrators, whom the apps do not let sign in.
struct Reports: Sendable {
    let database: PostgresClient
    let passengers = PassengerStore()
    let store = ReportStore()

    /// Makes a report. The same one again is no second one.
    ///
    /// - Throws: `PassengerError.userNotFound` when the reported person is not there.
    func make(_ new: NewReport) async throws {
        try await database.transaction { transaction in
            try await passengers.admit(new.reporter, meeting: new.reported, in: transaction)
            try await store.insert(new, in: transaction)
        }
    }

    /// What somebody has reported, newest first.
    func reports(by reporter: Int64) async throws -> [Report] {
        try await store.reports(by: reporter, in: database)
    }

    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden` for another's.
    func report(id: Int64, by reporter: Int64) async throws -> Report {
        guard let report = try await store.report(id: id, in: database) else { throw PassengerError.reportNotFound }
        guard report.reporter.account == reporter else { throw PassengerError.reportForbidden }
        return report
    }

    /// Changes a report of the caller's own.
    ///
    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden`; `.userNotFound` when the reported person is not
    ///   there, or has left; `.reportRepeated` when it would become a copy of another.
    func update(id: Int64, by reporter: Int64, _ change: ReportChange) async throws -> Report {
        try await database.transaction { transaction in
            try await passengers.admit(reporter, meeting: change.reported, in: transaction)
            try await requireOwn(id, reporter, in: transaction)
            guard try await store.update(id: id, change, in: transaction),
                let report = try await store.report(id: id, in: transaction)
            else { throw PassengerError.userNotFound }
            return report
        }
    }

    /// Takes a report back.
    ///
    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden`.
    func delete(id: Int64, by reporter: Int64) async throws {
        try await database.transaction { transaction in
            try await requireOwn(id, reporter, in: transaction)
            try await store.delete(id: id, in: transaction)
        }
    }

    private func requireOwn(_ id: Int64, _ reporter: Int64, in transaction: PostgresTransaction) async throws {
        guard let owner = try await store.reporter(ofReport: id, lockedIn: transaction) else {
            throw PassengerError.reportNotFound
        }
        guard owner == reporter else { throw PassengerError.reportForbidden }
    }
}
