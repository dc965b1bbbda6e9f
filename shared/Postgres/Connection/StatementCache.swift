/// A statement that a connection has prepared, or is about to prepare.
final class PreparedStatement {
    let key: SQL.Key
    /// Its name on the server.
    let name: String
    /// Whether the server has confirmed that it is prepared.
    var isPrepared = false
    fileprivate var lastUse: UInt64

    fileprivate init(_ key: SQL.Key, name: String, lastUse: UInt64) {
        self.key = key
        self.name = name
        self.lastUse = lastUse
    }
}

/// The most recently used prepared statements of a connection.
struct StatementCache {
    private let capacity: Int
    private var statements: [SQL.Key: PreparedStatement] = [:]
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The prepared form of a statement, if there is one.
    mutating func find(_ sql: SQL) -> PreparedStatement? {
        clock += 1
        guard let statement = statements[SQL.Key(sql)] else { return nil }
        statement.lastUse = clock
        return statement
    }

    /// Adds a statement that is about to be prepared.
    ///
    /// - Returns: Its prepared form, and the statement that it replaces or evicts, if any.
    mutating func insert(_ sql: SQL) -> (inserted: PreparedStatement, evicted: PreparedStatement?) {
        clock += 1
        let statement = PreparedStatement(SQL.Key(withoutValues: sql), name: "s\(clock)", lastUse: clock)
        var evicted = statements[statement.key]
        if evicted == nil, statements.count >= capacity {
            evicted = statements.values.min { $0.lastUse < $1.lastUse }
        }
        if let evicted { statements[evicted.key] = nil }
        statements[statement.key] = statement
        return (statement, evicted)
    }

    /// Removes a statement, unless it has been prepared again since.
    ///
    /// - Returns: Whether it was in the cache.
    @discardableResult
    mutating func remove(_ statement: PreparedStatement) -> Bool {
        guard statements[statement.key] === statement else { return false }
        statements[statement.key] = nil
        return true
    }
}
