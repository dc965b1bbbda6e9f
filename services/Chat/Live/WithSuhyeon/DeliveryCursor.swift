import NIOCore

/// How far the events of a room have been delivered to a client (contract 2.3, rule 6), as numbers of events. A socket
/// that moves to another copy of the service takes the numbers with it; that copy writes a ping of its own.
struct DeliveryCursor: Codable, Equatable {
    private enum CodingKeys: CodingKey {
        case delivered, acknowledged
    }

    /// The ping that follows frames. Only one is outstanding, so that data from the client acknowledges a known number.
    private enum Probe: Equatable {
        case none
        /// A ping was written after the frames up to a number.
        case pinged(at: NIODeadline, through: Int64)
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

    /// - Returns: Whether a ping is to be written now.
    mutating func ping(at now: NIODeadline) -> Bool {
        guard probe == .none, acknowledged < delivered else { return false }
        probe = .pinged(at: now, through: delivered)
        return true
    }

    /// Handles data that the client has sent: it acknowledges the frames before an earlier ping.
    ///
    /// - Returns: The number to store; nil when nothing was acknowledged.
    mutating func acknowledge(at moment: NIODeadline) -> Int64? {
        guard case .pinged(let writtenAt, let through) = probe, moment > writtenAt else { return nil }
        acknowledged = max(acknowledged, through)
        probe = .recording
        return acknowledged
    }

    /// The acknowledged number was stored.
    mutating func recorded() {
        if probe == .recording { probe = .none }
    }
}
