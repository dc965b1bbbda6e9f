import Contracts

/// The passenger of a socket, and the session of the token that opened it.
struct ConnectedPassenger: Codable, Sendable, Equatable {
    var account: AccountID
    var session: String
}
