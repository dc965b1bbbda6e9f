import Contracts

/// A passenger's profile as seen by others.
struct ProfileSummary: Sendable, Equatable, Codable {
    var account: AccountID
    var nickname: String
    var image: String
    var tags: [String]
}

/// The message to the occupant of a seat about a request for it.
struct OwnerMessage: Sendable, Equatable, Codable {
    var seat: SeatID
    var requester: ProfileSummary
    /// The offered credit; nil when the request has ended.
    var amount: Int64?
}

/// The message to a requester about the decision.
struct YieldReply: Sendable, Equatable, Codable {
    var seat: SeatID
    var owner: ProfileSummary
    var requester: AccountID
    var isAccepted: Bool
}

/// The state of a journey.
struct PathState: Sendable, Equatable, Codable {
    var journey: JourneyID
    /// Microseconds since 1970.
    var expectedArrival: Int64
    /// Time of the next check, in microseconds since 1970; nil after the arrival.
    var nextCheck: Int64?
    var hasArrived: Bool
}

/// A transient notification to the other replicas.
enum LiveNotification: Sendable, Equatable {
    /// A topic has a message with this id.
    case written(LiveMessageID, LiveTopic)
    /// A passenger has requested another car.
    case watched(account: AccountID, car: CarAddress)
    /// An account was withdrawn or a session revoked: its sockets are closed.
    case revoked(account: AccountID, session: String?)
}
