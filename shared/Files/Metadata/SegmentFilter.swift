import NIOCore

/// A filter of a format that is made of segments: at the beginning of each it decides what becomes of it.
protocol SegmentFilter {
    /// Bytes that have come and have not been decided upon.
    var input: ByteBuffer { get set }
    var fate: Fate { get set }

    /// What becomes of the bytes at the beginning of `input`; nil when that takes more of them. May itself move on and
    /// write something instead.
    mutating func decide(into out: inout ByteBuffer) -> Fate?

    /// Whether what was never decided upon passes at the end.
    var keepsUndecided: Bool { get }
}

/// What becomes of the next so many bytes.
enum Fate: Equatable {
    case keep(Int)
    case drop(Int)
    /// Zeros instead, where lengths that stand earlier must stay true.
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

    /// - Returns: whether it is done with, so that something must be decided about the bytes that follow.
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

    /// Bytes at a distance from the beginning of `input`; nil when they have not come.
    func peek(_ offset: Int = 0, count: Int) -> [UInt8]? {
        input.getBytes(at: input.readerIndex + offset, length: count)
    }
}
