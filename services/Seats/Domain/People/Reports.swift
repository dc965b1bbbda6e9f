import Contracts
import Postgres

/// Reports, accessible only to their reporters. They are processed by administrators, who do not sign in with the apps.
struct Reports: Sendable {
    let database: PostgresClient
    let passengers = PassengerStore()
    let store = ReportStore()

    /// Creates a report; a repeated one is ignored.
    ///
    /// - Throws: `PassengerError.userNotFound` for an unknown reported user.
    func make(_ new: NewReport) async throws {
        try await database.transaction { transaction in
            try await passengers.admit(new.reporter, meeting: new.reported, in: transaction)
            try await store.insert(new, in: transaction)
        }
    }

    /// The reports of a reporter, newest first.
    func reports(by reporter: AccountID) async throws -> [Report] {
        try await store.reports(by: reporter, in: database)
    }

    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden` for another reporter's.
    func report(id: ReportID, by reporter: AccountID) async throws -> Report {
        guard let report = try await store.report(id: id, in: database) else { throw PassengerError.reportNotFound }
        guard report.reporter.account == reporter else { throw PassengerError.reportForbidden }
        return report
    }

    /// Changes a report of the caller.
    ///
    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden`; `.userNotFound` for an unknown or withdrawn
    ///   reported user; `.reportRepeated` if the result equals another report.
    func update(id: ReportID, by reporter: AccountID, _ change: ReportChange) async throws -> Report {
        try await database.transaction { transaction in
            try await passengers.admit(reporter, meeting: change.reported, in: transaction)
            try await requireOwn(id, reporter, in: transaction)
            guard try await store.update(id: id, change, in: transaction),
                let report = try await store.report(id: id, in: transaction)
            else { throw PassengerError.userNotFound }
            return report
        }
    }

    /// Deletes a report.
    ///
    /// - Throws: `PassengerError.reportNotFound`, `.reportForbidden`.
    func delete(id: ReportID, by reporter: AccountID) async throws {
        try await database.transaction { transaction in
            try await requireOwn(id, reporter, in: transaction)
            try await store.delete(id: id, in: transaction)
        }
    }

    private func requireOwn(_ id: ReportID, _ reporter: AccountID, in transaction: PostgresTransaction) async throws {
        guard let owner = try await store.reporter(ofReport: id, lockedIn: transaction) else {
            throw PassengerError.reportNotFound
        }
        guard owner == reporter else { throw PassengerError.reportForbidden }
    }
}
