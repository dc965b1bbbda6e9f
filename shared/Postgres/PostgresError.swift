/// An error of the client or of PostgreSQL. It never contains the value of a parameter or of a row, so it may be
/// logged.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// PostgreSQL refused or cancelled the statement; `sqlState` has the reason. It had no effect.
        case refused
        /// The session has ended before the statement, or before it was answered: nothing of it and of its transaction took
        /// effect.
        case sessionEnded
        /// The connection broke while the statement was in flight; it may or may not have taken effect.
        case connectionLost
        /// No connection was available in time; the statement was not sent.
        case unavailable
        /// The client has been shut down; the statement was not sent.
        case closed
        /// The number of rows is not the one that the call requires.
        case rowCount
        /// A row did not have the requested columns or types.
        case undecodable
        /// A parameter cannot be represented; the statement was not sent.
        case unencodable
        /// The applied migrations contradict those of this program.
        case migration
    }

    package var kind: Kind { fields.kind }
    /// PostgreSQL's error code; only with `refused`, `migration` and a connection that the server has closed.
    package var sqlState: SQLState? { fields.sqlState }
    package var message: String { fields.message }
    /// The constraint that was violated, e.g. `accounts_email_key`.
    package var constraint: String? { fields.constraint }
    package var table: String? { fields.table }
    package var column: String? { fields.column }
    /// The text of the statement, with `$n` for its parameters.
    package var statement: String? { fields.statement }
    /// The PostgreSQL function that raised the error.
    var routine: String? { fields.routine }

    /// Stored in a separate object, so that an error takes one word in the structures of the fast path.
    private let fields: Fields

    private final class Fields: Sendable {
        let kind: Kind
        let sqlState: SQLState?
        let message: String
        let constraint: String?
        let table: String?
        let column: String?
        let routine: String?
        let statement: String?

        init(_ kind: Kind, _ sqlState: SQLState?, _ message: String, _ location: [String?], statement: String?) {
            self.kind = kind
            self.sqlState = sqlState
            self.message = message
            self.constraint = location[0]
            self.table = location[1]
            self.column = location[2]
            self.routine = location[3]
            self.statement = statement
        }
    }

    init(
        _ kind: Kind,
        _ message: String,
        sqlState: SQLState? = nil,
        constraint: String? = nil,
        table: String? = nil,
        column: String? = nil,
        routine: String? = nil
    ) {
        fields = Fields(
            kind,
            sqlState,
            // The messages of data exceptions (class 22) quote the offending value.
            sqlState?.isDataException == true ? Self.withoutQuotations(message) : message,
            [constraint, table, column, routine],
            statement: nil
        )
    }

    private init(_ fields: Fields) {
        self.fields = fields
    }

    /// The same error, with its statement.
    func about(_ sql: SQL) -> PostgresError {
        PostgresError(
            Fields(kind, sqlState, message, [constraint, table, column, routine], statement: statement ?? sql.text)
        )
    }

    /// Whether the constraint with this name was violated:
    /// `catch let error as PostgresError where error.violates("…")`.
    package func violates(_ constraint: String) -> Bool {
        self.constraint == constraint && sqlState?.isIntegrityViolation == true
    }

    /// Whether the transaction failed because of a concurrent one, or since its session was ended, and may succeed when
    /// retried.
    package var isTransient: Bool { kind == .sessionEnded || isConflict }

    /// Whether the transaction failed because of a concurrent one.
    var isConflict: Bool { [.serializationFailure, .deadlockDetected, .lockNotAvailable].contains(sqlState) }

    /// Whether a row violates a constraint that callers check by trying.
    var isExpectedRefusal: Bool { [.uniqueViolation, .exclusionViolation, .checkViolation].contains(sqlState) }

    package var description: String {
        var text = message
        if let sqlState { text += " (\(sqlState.rawValue))" }
        if let statement { text += " in: \(statement.prefix(500))" }
        return text
    }

    private static func withoutQuotations(_ message: String) -> String {
        guard let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\""), first < last else {
            return message
        }
        return message[...first] + "…" + message[last...]
    }
}

extension Error {
    /// Whether the database or the statement is to blame, not a refusal that the caller expects, its own code or its
    /// cancellation.
    var isDatabaseFailure: Bool { (self as? PostgresError)?.isExpectedRefusal == false }
}
