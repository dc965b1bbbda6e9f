/// How a passenger looks to others.
struct Face: Sendable, Equatable, Codable {
    var account: Int64
    var nickname: String
    var image: String
    var tags: [String]
}

/// What the occupant of a seat is told: somebody wants it, or does no longer.
struct OwnerNotice: Sendable, Equatable, Codable {
    var seat: Int64
    var requester: Face
    /// The credit that is offered; nil when the wish is gone.
    var amount: Int64?
}

/// What somebody who wants a seat is told.
struct YieldReply: Sendable, Equatable, Codable {
    var seat: Int64
    var owner: Face
    var requester: Int64
    var isAccepted: Bool
}

/// How a journey stands.
struct PathState: Sendable, Equatable, Codable {
    var journey: Int64
    /// Microseconds since 1970.
    var expectedArrival: Int64
    /// When the train is looked for next; nil once it has arrived.
    var nextCheck: Int64?
    var hasArrived: Bool
}

/// A word to the other copies of the service that is not kept.
enum LiveNotice: Sendable, Equatable {
    /// A passenger looks at another car now.
    case watched(account: Int64, car: CarAddress)
    /// A passenger is gone for good, or a session has been ended: its sockets are closed.
    case revoked(account: Int64, session: String?)
}
