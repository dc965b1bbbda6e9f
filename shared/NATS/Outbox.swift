import NIOCore

/// What a client has to send, in order, and the subjects that it wants.
struct Outbox {
    /// What waits for a PONG. A server answers in the order of the PINGs.
    enum Waiting {
        /// All subscriptions were sent again.
        case ready
        /// A sign that the server lives.
        case sign
        case confirm(CheckedContinuation<Bool, Never>)
    }

    /// What a lost connection leaves.
    struct Rest {
        var lost: Int
        var confirmations: [CheckedContinuation<Bool, Never>]
        var wasReady: Bool
    }

    private struct Subscription {
        var id: UInt64
        var count: Int
    }

    private let limit: Int
    private var link: NATSClient.Link?
    private var subscriptions: [String: Subscription] = [:]
    private var lastID: UInt64 = 0
    private var bytes = ByteBuffer()
    /// The number of messages in `bytes`.
    private var messages = 0
    /// What waits, with the last subscription before its PING.
    private var waiting: [(kind: Waiting, after: UInt64)] = []
    /// The last subscription that is known to be in effect.
    private var confirmedID: UInt64 = 0
    private var isReady = false
    /// Whether a flush comes that takes `bytes`.
    private var isScheduled = false

    init(limit: Int) {
        self.limit = limit
    }

    // MARK: Adding

    /// - Returns: Whether the message was taken.
    mutating func publish(_ payload: String, to subject: String) -> Bool {
        let size = payload.utf8.count
        guard let link, size <= link.info.maxPayload, bytes.readableBytes + size <= limit else { return false }
        bytes.writeString("PUB \(subject) \(size)\r\n")
        bytes.writeString(payload)
        bytes.writeString("\r\n")
        messages += 1
        return true
    }

    mutating func subscribe(to subject: String) {
        guard subscriptions[subject] == nil else {
            subscriptions[subject]?.count += 1
            return
        }
        lastID += 1
        subscriptions[subject] = Subscription(id: lastID, count: 1)
        if link != nil { bytes.writeString("SUB \(subject) \(lastID)\r\n") }
    }

    mutating func unsubscribe(from subject: String) {
        guard let subscription = subscriptions[subject] else { return }
        subscriptions[subject]?.count -= 1
        guard subscription.count == 1 else { return }
        subscriptions[subject] = nil
        if link != nil { bytes.writeString("UNSUB \(subscription.id)\r\n") }
    }

    /// - Returns: False if there is no connection.
    @discardableResult
    mutating func ping(_ waiting: Waiting) -> Bool {
        guard link != nil else { return false }
        bytes.writeString("PING\r\n")
        self.waiting.append((waiting, lastID))
        return true
    }

    /// Whether a subscription is not known to be in effect, though there is a connection.
    var hasUnconfirmed: Bool { link != nil && confirmedID < lastID }

    // MARK: Sending

    /// The channel for which a flush must be scheduled; nil if there is nothing to send, or one is scheduled already.
    mutating func channelToFlush() -> (any Channel)? {
        guard let link, !isScheduled, bytes.readableBytes > 0 else { return nil }
        isScheduled = true
        return link.channel
    }

    mutating func take(for channel: any Channel) -> ByteBuffer? {
        guard link?.channel === channel else { return nil }
        isScheduled = false
        guard bytes.readableBytes > 0 else { return nil }
        defer { (bytes, messages) = (ByteBuffer(), 0) }
        return bytes
    }

    /// What waited for the answer to the oldest PING.
    mutating func pong(from channel: any Channel) -> Waiting? {
        guard link?.channel === channel, !waiting.isEmpty else { return nil }
        let (first, id) = waiting.removeFirst()
        confirmedID = id
        if case .ready = first { isReady = true }
        return first
    }

    // MARK: Connections

    mutating func attach(_ link: NATSClient.Link) {
        self.link = link
        for (subject, subscription) in subscriptions { bytes.writeString("SUB \(subject) \(subscription.id)\r\n") }
        ping(.ready)
    }

    mutating func detach() -> Rest {
        let confirmations = waiting.compactMap {
            if case .confirm(let continuation) = $0.kind { continuation } else { nil }
        }
        defer {
            link = nil
            (bytes, messages, waiting) = (ByteBuffer(), 0, [])
            (isReady, isScheduled, confirmedID) = (false, false, 0)
        }
        return Rest(lost: messages, confirmations: confirmations, wasReady: isReady)
    }
}
