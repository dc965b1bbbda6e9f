/// A workplace (MOUP contract 2).
struct Workplace: Sendable, Equatable {
    var id: Int64
    var creator: Int64
    var name: String
    var category: String
    var address: String?
    var latitude: Double?
    var longitude: Double?
    /// Whether other users can join.
    var isShared: Bool
    /// Whether it has five employees or more (Labor Standards Act 11).
    var hasFiveOrMoreEmployees: Bool
    /// Whether the creator's account is withdrawn; the workplace is then read-only.
    var isAbandoned: Bool

    /// Maximum number of workplaces per creator.
    static let limit = 20
}

/// A user's membership at a workplace. The creator is also a worker; that of a shared workplace has no wage.
struct Worker: Sendable, Equatable {
    var id: Int64
    var workplace: Int64
    var person: Person
    /// The workplace's color in the worker's calendar.
    var workerColor: String?
    /// The worker's color in the owner's calendar.
    var ownerColor: String?
    /// False while the membership is pending.
    var isAccepted: Bool
    /// Whether the worker has left or was removed.
    var hasParted: Bool
}
