/// A statement with its parameters, written as a string with interpolations:
/// `"SELECT id FROM people WHERE name = \(name)"`.
///
/// An interpolated value never becomes part of the text: it is sent separately as `$n`, so that a value cannot be
/// interpreted as SQL. `\(fragment)` inserts another `SQL`, `\(identifier: name)` quotes a name; text known only at run
/// time cannot be inserted. For a list write `id = ANY(\(ids))`: the text, and with it the prepared statement, is the
/// same for any length.
///
/// Strings are sent as `text`; where PostgreSQL expects another text-like type (`jsonb`, an enum, `inet`), cast:
/// `\(value)::inet`.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// The text between the parameters, one piece more than there are parameters.
    var pieces: [String]
    var parameters = Parameters()
    var origin: Origin?

    package init(stringLiteral value: String) {
        pieces = [value]
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// The text with `$1`, `$2`, … in place of the parameters, as it is sent and logged.
    var text: String { Self.text(pieces) }

    /// Whether it may wait for another transaction's lock: all but reads without row locks and advisory locks. Keywords are
    /// in capitals.
    var mayWaitForLock: Bool {
        guard Self.reading.contains(where: pieces[0].utf8.starts) else { return true }
        return pieces.contains { piece in
            var piece = piece
            return piece.withUTF8(Self.hasLocking)
        }
    }

    private static func hasLocking(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for start in text.indices {
            // The first letters of the words; every statement passes here.
            switch text[start] {
            case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "F"),
                UInt8(ascii: "a"):
                if locking.contains(where: text[start...].starts) { return true }
            default: continue
            }
        }
        return false
    }

    private static let reading = ["SELECT", "WITH", "VALUES", "SHOW"].map { Array($0.utf8) }
    private static let locking = [
        "INSERT INTO", "UPDATE", "DELETE FROM", "MERGE INTO", "FOR SHARE", "FOR KEY SHARE", "advisory",
    ].map { Array($0.utf8) }

    /// The identity of a prepared statement: the text and the types of the parameters.
    struct Key: Hashable, Sendable {
        private let pieces: [String]
        private let parameters: Parameters

        init(_ sql: SQL) {
            pieces = sql.pieces
            parameters = sql.parameters
        }

        /// Creates a key for storage, without the values.
        init(withoutValues sql: SQL) {
            pieces = sql.pieces
            parameters = sql.parameters.withoutValues
        }

        static func == (one: Key, other: Key) -> Bool {
            one.pieces == other.pieces && one.parameters.hasSameTypes(as: other.parameters)
        }

        func hash(into hasher: inout Hasher) {
            for piece in pieces { hasher.combine(piece) }
        }
    }

    /// Builds a statement from the parts of a string literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        var sql = SQL(stringLiteral: "")

        package init(literalCapacity: Int, interpolationCount: Int) {
            sql.pieces.reserveCapacity(interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            let last = sql.pieces.count - 1
            if sql.pieces[last].isEmpty { sql.pieces[last] = literal } else { sql.pieces[last] += literal }
        }

        /// A value, sent as a parameter.
        package mutating func appendInterpolation(_ value: some PostgresEncodable) {
            sql.parameters.append(value)
            sql.pieces.append("")
        }

        /// A value or NULL, sent as a parameter.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            sql.parameters.append(value)
            sql.pieces.append("")
        }

        /// A part of a statement with its parameters.
        package mutating func appendInterpolation(_ fragment: SQL) {
            appendLiteral(fragment.pieces[0])
            sql.pieces += fragment.pieces.dropFirst()
            sql.parameters.append(contentsOf: fragment.parameters)
        }

        /// The quoted name of a table, column, channel or schema.
        package mutating func appendInterpolation(identifier: String) {
            appendLiteral("\"\(identifier.replacing("\"", with: "\"\""))\"")
        }
    }
}
