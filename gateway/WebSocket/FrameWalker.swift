import Contracts

/// Tracks the frames and messages in one direction of a WebSocket (RFC 6455 §5.2) without reading payloads, because the
/// gateway can insert a frame of its own, or take one out, only at a boundary.
struct FrameWalker: Sendable, Equatable {
    private var header: [UInt8] = []
    /// The remaining bytes of the payload, including the mask.
    private var remaining: UInt64 = 0
    /// Whether more frames of the last message follow.
    private var isInsideMessage = false

    /// Where to stop.
    enum Stop {
        case never
        /// Before a frame.
        case frame
        /// Before a message; frames between those of a fragmented message are passed.
        case message
        /// Before a frame of `SocketMove`.
        case move
    }

    /// Whether the next byte begins a frame.
    var isBetweenFrames: Bool { header.isEmpty && remaining == 0 }

    /// Whether the next byte begins a message.
    var isBetweenMessages: Bool { isBetweenFrames && !isInsideMessage }

    /// Advances over received bytes.
    ///
    /// - Returns: The number of bytes passed.
    mutating func walk(_ bytes: Span<UInt8>, stoppingBefore stop: Stop = .never) -> Int {
        var index = 0
        while index < bytes.count {
            if isBetweenFrames, stops(before: bytes[index], stop) { return index }
            if remaining > 0 {
                let step = min(UInt64(bytes.count - index), remaining)
                remaining -= step
                index += Int(step)
            } else {
                header.append(bytes[index])
                index += 1
                readHeader()
            }
        }
        return index
    }

    private func stops(before first: UInt8, _ stop: Stop) -> Bool {
        switch stop {
        case .never: false
        case .frame: true
        case .message: !isInsideMessage
        case .move: first == 0x80 | SocketMove.pause || first == 0x80 | SocketMove.state
        }
    }

    /// Reads the payload length once enough of the header has arrived.
    private mutating func readHeader() {
        guard header.count >= 2 else { return }
        let mask: UInt64 = header[1] & 0x80 == 0 ? 0 : 4
        let short = header[1] & 0x7f
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        guard header.count == 2 + extra else { return }
        let length = extra == 0 ? UInt64(short) : header[2...].reduce(0) { $0 << 8 | UInt64($1) }
        // A length with the highest bit set is invalid; the endpoints refuse it.
        remaining = (length & (.max >> 1)) + mask
        let isControl = header[0] & 0x08 != 0
        if !isControl { isInsideMessage = header[0] & 0x80 == 0 }
        header.removeAll(keepingCapacity: true)
    }
}

extension FrameWalker: Codable {
    private enum CodingKeys: String, CodingKey {
        case header, remaining, isInsideMessage
    }

    /// A gateway that gives its tunnels away may be older than this one and state nothing about messages.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        header = try values.decode([UInt8].self, forKey: .header)
        remaining = try values.decode(UInt64.self, forKey: .remaining)
        isInsideMessage = try values.decodeIfPresent(Bool.self, forKey: .isInsideMessage) ?? false
    }
}
