import NIOCore

/// The heart-beats of a connection (STOMP 1.2, "Heart-beating"), in both directions; only if the client offers them.
struct STOMPBeats {
    /// A client's `heart-beat` header, in milliseconds; 0 means none.
    struct Offer: Codable, Sendable {
        /// The shortest interval at which the client can send heart-beats.
        var sends = 0
        /// The interval at which the client wants heart-beats.
        var wants = 0

        /// None.
        init() {}

        /// - Throws: For a header that is not two numbers.
        init(_ text: String?) throws(STOMPRefusal) {
            guard let text else { return }
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                Int(part.drop { $0 == " " }.prefix { $0 != " " })
            }
            guard numbers.count == 2, let sends = numbers[0], let wants = numbers[1],
                (0...Self.longest).contains(sends), (0...Self.longest).contains(wants)
            else { throw STOMPRefusal("The heart-beat is not two numbers of milliseconds.") }
            self.sends = sends
            self.wants = wants
        }

        init(from decoder: any Decoder) throws {
            try self.init(decoder.singleValueContainer().decode(String.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("\(sends),\(wants)")
        }

        /// A day.
        private static let longest = 86_400_000
    }

    private static let newline = ByteBuffer.webSocketFrame(.text, ByteBuffer(bytes: [0x0a]))

    private var sending: RepeatedTask?
    private var watching: RepeatedTask?

    /// Starts the negotiated heart-beats.
    ///
    /// They are sent somewhat more often than promised, to allow for latency. A client that promised heart-beats and
    /// was silent for twice the interval is considered disconnected.
    ///
    /// - Parameter least: The minimum interval.
    /// - Returns: The server's `heart-beat` header.
    mutating func start(_ offer: Offer, least: TimeAmount, _ socket: WebSocket) -> String {
        let least = Int(least.nanoseconds / 1_000_000)
        let (gives, gets) = (
            offer.wants == 0 ? 0 : max(offer.wants, least), offer.sends == 0 ? 0 : max(offer.sends, least)
        )
        let loop = socket.eventLoop
        let bound = NIOLoopBound(socket, eventLoop: loop)
        if gives > 0 {
            let time = TimeAmount.microseconds(Int64(gives) * 750)
            sending = loop.scheduleRepeatedTask(initialDelay: time, delay: time) { _ in
                bound.value.write(Self.newline)
                bound.value.flush()
            }
        }
        if gets > 0 {
            let limit = TimeAmount.milliseconds(Int64(gets) * 2)
            let time = TimeAmount.milliseconds(Int64(max(gets / 2, 1)))
            watching = loop.scheduleRepeatedTask(initialDelay: limit, delay: time) { _ in
                guard loop.now - bound.value.lastRead >= limit else { return }
                bound.value.close(.policyViolation, "no heart-beat")
            }
        }
        return "\(gives),\(gets)"
    }

    func stop() {
        sending?.cancel()
        watching?.cancel()
    }
}
