import NIOCore

/// A filter of a segmented format, which decides at the start of each segment whether it is kept.
protocol SegmentFilter {
    /// Received bytes that have not been decided about.
    var input: ByteBuffer { get set }
    var fate: Fate { get set }

    /// The fate of the bytes at the start of `input`; nil if more bytes are needed. The method may consume bytes and
    /// write replacements itself.
    mutating func decide(into out: inout ByteBuffer) -> Fate?

    /// Whether undecided bytes are kept at the end of the file.
    var keepsUndecided: Bool { get }
}

/// What happens to the next bytes.
enum Fate: Equatable {
    case keep(Int)
    case drop(Int)
    /// Replaced by zeros, where earlier length fields must stay valid.
    case blank(Int)
    case keepRest
    case dropRest
}

extension SegmentFilter {
    mutating func filter(_ bytes: ByteBuffer, into out: inout ByteBuffer) {
        if input.readableBytes == 0 {
            input = bytes
        } else {
            input.discardReadBytes()
            input.writeImmutableBuffer(bytes)
        }
        while carryOut(&out) {
            guard let next = decide(into: &out) else { return }
            fate = next
        }
    }

    mutating func finish(into out: inout ByteBuffer) {
        if keepsUndecided { out.writeImmutableBuffer(input) }
        input.clear()
    }

    /// - Returns: Whether the current fate is complete, so that the next bytes have to be decided about.
    private mutating func carryOut(_ out: inout ByteBuffer) -> Bool {
        switch fate {
        case .keep(let count):
            let taken = take(count)
            if let taken { out.writeImmutableBuffer(taken) }
            fate = .keep(count - (taken?.readableBytes ?? 0))
            return fate == .keep(0)
        case .drop(let count):
            fate = .drop(count - (take(count)?.readableBytes ?? 0))
            return fate == .drop(0)
        case .blank(let count):
            let taken = take(count)?.readableBytes ?? 0
            out.writeRepeatingByte(0, count: taken)
            fate = .blank(count - taken)
            return fate == .blank(0)
        case .keepRest:
            out.writeImmutableBuffer(input)
            input.clear()
            return false
        case .dropRest:
            input.clear()
            return false
        }
    }

    private mutating func take(_ count: Int) -> ByteBuffer? {
        input.readSlice(length: min(count, input.readableBytes))
    }

    /// Bytes at an offset from the start of `input`; nil if they have not arrived.
    func peek(_ offset: Int = 0, count: Int) -> [UInt8]? {
        input.getBytes(at: input.readerIndex + offset, length: count)
    }
}
