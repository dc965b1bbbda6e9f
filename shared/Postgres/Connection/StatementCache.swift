/// The statements that a connection has prepared on its server, the most recently used ones.
struct StatementCache {
    private struct Entry {
        var name: String
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [SQL.Key: Entry] = [:]
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The name under which a statement is prepared, if it is.
    mutating func name(of key: SQL.Key) -> String? {
        clock += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].name
    }

    /// Makes room for a statement that is about to be prepared.
    ///
    /// - Returns: its name, and the name of the statement that had to go.
    mutating func insert(_ key: SQL.Key) -> (name: String, evicted: String?) {
        clock += 1
        var evicted: String?
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            evicted = oldest.value.name
        }
        let name = "s\(clock)"
        entries[key] = Entry(name: name, lastUse: clock)
        return (name, evicted)
    }

    /// Forgets a statement, unless it has been prepared anew under another name since.
    ///
    /// - Returns: whether it was known under that name.
    @discardableResult
    mutating func remove(_ key: SQL.Key, named name: String) -> Bool {
        guard entries[key]?.name == name else { return false }
        entries[key] = nil
        return true
    }
}
