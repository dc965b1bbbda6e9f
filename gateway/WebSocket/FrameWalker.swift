/// Tracks frame boundaries in one direction of a WebSocket (RFC 6455 §5.2) without reading payloads, because the
/// gateway can insert a frame of its own only at a boundary.
struct FrameWalker: Sendable, Codable, Equatable {
    private var header: [UInt8] = []
    /// The remaining bytes of the payload, including the mask.
    private var remaining: UInt64 = 0

    /// Whether the next byte begins a frame.
    var isBetweenFrames: Bool { header.isEmpty && remaining == 0 }

    /// Advances over received bytes.
    ///
    /// - Parameter stops: Whether to stop at the end of a frame.
    /// - Returns: The number of bytes passed.
    mutating func walk(_ bytes: Span<UInt8>, stoppingAtFrameEnd stops: Bool = false) -> Int {
        var index = 0
        while index < bytes.count {
            if stops, isBetweenFrames { return index }
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
        header.removeAll(keepingCapacity: true)
    }
}
