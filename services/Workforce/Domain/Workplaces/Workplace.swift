/// Where people work (MOUP contract 2).
struct Workplace: Sendable, Equatable {
    var id: Int64
    var creator: Int64
    var name: String
    var category: String
    var address: String?
    var latitude: Double?
    var longitude: Double?
    /// Whether others can join.
    var isShared: Bool
    /// Whether it has five employees or more (Labor Standards Act 11).
    var hasFiveOrMoreEmployees: Bool
    /// Its creator has left the app: it can be read, no longer changed.
    var isAbandoned: Bool

    /// How many one person may have created.
    static let limit = 20
}

/// Somebody at a workplace. The creator is one, too; a shared workplace's without wages.
struct Worker: Sendable, Equatable {
    var id: Int64
    var workplace: Int64
    var person: Person
    /// The workplace's colour in the worker's calendar.
    var workerColor: String?
    /// The worker's colour in the owner's calendar.
    var ownerColor: String?
    /// False while the owner has not decided.
    var isAccepted: Bool
    /// Has left, or was removed.
    var hasParted: Bool
}
