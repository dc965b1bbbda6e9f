/// A statement that a connection has prepared, or is about to prepare.
final class PreparedStatement {
    let key: SQL.Key
    /// Its name on the server; empty for the unnamed statement, which the next unnamed one replaces.
    let name: String
    /// Whether the server has confirmed that it is prepared.
    var isPrepared = false

    fileprivate init(_ key: SQL.Key, name: String) {
        self.key = key
        self.name = name
    }
}

/// The prepared statements of a connection, of which the first `capacity` have names.
///
/// No name is ever given back, because behind PgBouncer the SQL command DEALLOCATE concerns another server connection,
/// and libpq 15 cannot send the protocol's Close.
struct StatementCache {
    private let capacity: Int
    private var statements: [SQL.Key: PreparedStatement] = [:]
    private var names = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The prepared form of a statement, if there is one.
    func find(_ sql: SQL) -> PreparedStatement? {
        statements[SQL.Key(sql)]
    }

    /// The form of a statement that is about to be prepared. It is added under a new name while there is room.
    mutating func insert(_ sql: SQL) -> PreparedStatement {
        let key = SQL.Key(withoutValues: sql)
        guard statements.count < capacity || statements[key] != nil else { return PreparedStatement(key, name: "") }
        names += 1
        let statement = PreparedStatement(key, name: "s\(names)")
        statements[key] = statement
        return statement
    }

    /// Removes a statement, unless it has been prepared again since.
    mutating func remove(_ statement: PreparedStatement) {
        if statements[statement.key] === statement { statements[statement.key] = nil }
    }
}
