/// Whom a socket belongs to, and the session whose token opened it.
struct ConnectedPassenger: Sendable, Equatable {
    var account: Int64
    var session: String
}
