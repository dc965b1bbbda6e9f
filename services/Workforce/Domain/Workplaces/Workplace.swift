import Contracts

/// A workplace (MOUP contract 2).
struct Workplace: Sendable, Equatable {
    var id: WorkplaceID
    var creator: AccountID
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
    var id: WorkerID
    var workplace: WorkplaceID
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

extension WorkerID {
    /// Precedes the ids of all workers.
    static let beforeAll = WorkerID(rawValue: 0)
}

extension WorkplaceID {
    /// The id of a workplace that has not been stored yet.
    static let unsaved = WorkplaceID(rawValue: 0)
}
