/// How far the events of a room have been delivered to a client (contract 2.3, rule 6), as numbers of events. A socket
/// that moves to another copy of the service takes the numbers with it; that copy writes a ping of its own.
struct DeliveryCursor: Codable, Equatable {
    private enum CodingKeys: CodingKey {
        case delivered, acknowledged
    }

    /// The ping that follows frames. Only one is outstanding.
    private enum Probe: Equatable {
        case none
        /// A ping was written after the frames up to a number.
        case pinged(through: Int64)
        /// The acknowledged number is being stored.
        case recording
    }

    /// Events up to here were written to the socket, or needed no frame.
    private(set) var delivered: Int64
    /// The client has received the messages up to here.
    private(set) var acknowledged: Int64
    private var probe = Probe.none

    /// - Parameter sequence: The client has received the events up to this number.
    init(at sequence: Int64) {
        delivered = sequence
        acknowledged = sequence
    }

    /// Advances after events were written, or needed no frame.
    mutating func deliver(through sequence: Int64, needsAcknowledgement: Bool) {
        if !needsAcknowledgement, acknowledged == delivered { acknowledged = max(acknowledged, sequence) }
        delivered = max(delivered, sequence)
    }

    /// - Returns: The number that a ping is to name that is written now; nil for no ping.
    mutating func ping() -> Int64? {
        guard probe == .none, acknowledged < delivered else { return nil }
        probe = .pinged(through: delivered)
        return delivered
    }

    /// Handles the pong to a ping: the client has received the frames before it. Other data of the client may have been on
    /// its way when these were sent.
    ///
    /// - Parameter sequence: The number in the ping.
    /// - Returns: The number to store; nil when nothing was acknowledged.
    mutating func acknowledge(_ sequence: Int64) -> Int64? {
        guard probe == .pinged(through: sequence) else { return nil }
        acknowledged = max(acknowledged, sequence)
        probe = .recording
        return acknowledged
    }

    /// The acknowledged number was stored.
    mutating func recorded() {
        if probe == .recording { probe = .none }
    }
}
