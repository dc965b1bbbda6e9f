import Contracts
import Values

/// A report of one passenger about another.
struct Report: Sendable, Equatable {
    static let reasonLimit = 1000

    struct Person: Sendable, Equatable {
        var account: AccountID
        var name: String
    }

    var id: ReportID
    var reporter: Person
    /// nil once the reported user is withdrawn.
    var reported: Person?
    /// Empty once the reported user is withdrawn.
    var reason: String
}

/// The values of a new report.
struct NewReport: Sendable, Equatable {
    var reporter: AccountID
    var reported: AccountID
    var reason: String

    /// - Throws: `PassengerError.reportOfOneself`, `.textInvalid`.
    init(reporter: AccountID, reported: AccountID, reason: String) throws(PassengerError) {
        guard reporter != reported else { throw .reportOfOneself }
        self.reporter = reporter
        self.reported = reported
        self.reason = try TypedText.checked(reason, field: "reason", limit: Report.reasonLimit, manyLines: true)
    }
}

/// Changes of a report; nil leaves a field unchanged.
struct ReportChange: Sendable, Equatable {
    var reported: AccountID?
    var reason: String?

    /// - Throws: `PassengerError.reportOfOneself`, `.textInvalid`.
    init(reporter: AccountID, reported: AccountID?, reason: String?) throws(PassengerError) {
        guard reporter != reported else { throw .reportOfOneself }
        self.reported = reported
        if let reason {
            self.reason = try TypedText.checked(reason, field: "reason", limit: Report.reasonLimit, manyLines: true)
        }
    }
}
