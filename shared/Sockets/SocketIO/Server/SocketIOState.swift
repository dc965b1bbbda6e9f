/// What another copy of the service needs to continue a connection.
struct SocketIOState<Visitor: Codable, Position: Codable>: Codable {
    struct Member: Codable {
        var namespace: String
        /// The socket's ID, which the client knows.
        var id: String
        var position: Position
    }

    var visitor: Visitor
    /// The time before the next ping, in milliseconds.
    var pingTime: Int64
    var members: [Member]
}
