/// PostgreSQL's five-character error code (PostgreSQL manual, appendix A).
package struct SQLState: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { self.rawValue = value }

    package static let notNullViolation: SQLState = "23502"
    package static let foreignKeyViolation: SQLState = "23503"
    package static let uniqueViolation: SQLState = "23505"
    package static let checkViolation: SQLState = "23514"
    package static let exclusionViolation: SQLState = "23P01"
    /// A write on a standby.
    package static let readOnlyTransaction: SQLState = "25006"
    package static let serializationFailure: SQLState = "40001"
    package static let deadlockDetected: SQLState = "40P01"
    package static let lockNotAvailable: SQLState = "55P03"
    /// Cancelled by the client or by `statement_timeout`.
    package static let queryCanceled: SQLState = "57014"
    /// The session was ended by an administrator, or since the server stops. What has not been committed was rolled back.
    package static let adminShutdown: SQLState = "57P01"
    /// Text that is not valid in the database's encoding: a NUL character in a string.
    package static let characterNotInRepertoire: SQLState = "22021"
    package static let syntaxError: SQLState = "42601"
    package static let undefinedTable: SQLState = "42P01"
    package static let objectInUse: SQLState = "55006"

    /// A statement after one that has failed.
    static let inFailedTransaction: SQLState = "25P02"
    static let featureNotSupported: SQLState = "0A000"
    static let invalidStatementName: SQLState = "26000"

    var isIntegrityViolation: Bool { rawValue.hasPrefix("23") }
    var isDataException: Bool { rawValue.hasPrefix("22") }
}
