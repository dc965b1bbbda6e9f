/// How far a subscription to a room has got: past events are read up to the newest announced one; from then on new events
/// are delivered as they come. Each is delivered once, in order.
struct StreamCursor: Sendable, Equatable {
    private enum Phase: Equatable {
        /// Past events are being read; `announced` is the highest number known.
        case reading(announced: Int64)
        /// New events are delivered; the last delivered number is `through`.
        case open(through: Int64)
        case ended
    }

    private var phase = Phase.reading(announced: 0)
    /// The last past event that was sent.
    private var sent: Int64 = 0

    /// Begins, or continues after an error.
    ///
    /// - Parameters:
    ///   - number: The client has the events up to this number.
    ///   - start: Every event after this number is received.
    mutating func begin(after number: Int64, start: Int64) {
        sent = max(sent, number)
        announce(start)
    }

    /// The past events to read next; nil when there are none, and new events are delivered directly.
    mutating func next() -> (after: Int64, through: Int64)? {
        guard case .reading(let announced) = phase else { return nil }
        guard announced > sent else {
            phase = .open(through: sent)
            return nil
        }
        return (sent, announced)
    }

    /// Past events were sent.
    mutating func send(through number: Int64) { sent = number }

    /// - Returns: Whether a new event is delivered now.
    mutating func take(_ number: Int64) -> Bool {
        guard case .open(let through) = phase else {
            announce(number)
            return false
        }
        guard number > through else { return false }
        phase = .open(through: number)
        return true
    }

    /// Ends the delivery.
    ///
    /// - Returns: The number of the last event that was delivered; nil when past events are being read, or it has ended.
    mutating func suspend() -> Int64? {
        guard case .open(let through) = phase else { return nil }
        phase = .ended
        return through
    }

    /// Ends the delivery.
    ///
    /// - Returns: false when it had ended before.
    mutating func end() -> Bool {
        defer { phase = .ended }
        return phase != .ended
    }

    private mutating func announce(_ number: Int64) {
        if case .reading(let announced) = phase { phase = .reading(announced: max(announced, number)) }
    }
}
