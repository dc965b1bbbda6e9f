import NIOCore

/// Removes comments and application extensions (XMP data among them) except for those of animations from a GIF (GIF89a,
/// 1990), and bytes after its end. Bytes after an invalid block are kept, because no decoder reads them.
struct GIFFilter: SegmentFilter {
    var input = ByteBuffer()
    var fate = Fate.keep(0)
    private var step = Step.header

    private enum Step {
        case header, block, keptParts, droppedParts
    }

    var keepsUndecided: Bool { step != .droppedParts }

    private static let wanted = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]

    mutating func decide(into out: inout ByteBuffer) -> Fate? {
        switch step {
        case .header:
            guard let flags = peek(10, count: 1)?[0] else { return nil }
            step = .block
            return .keep(13 + Self.tableSize(flags))
        case .block:
            return block(into: &out)
        case .keptParts, .droppedParts:
            guard let length = peek(count: 1)?[0] else { return nil }
            let isKept = step == .keptParts
            if length == 0 { step = .block }
            return isKept ? .keep(1 + Int(length)) : .drop(1 + Int(length))
        }
    }

    private mutating func block(into out: inout ByteBuffer) -> Fate? {
        guard let mark = peek(count: 1)?[0] else { return nil }
        switch mark {
        case 0x21: return extensionBlock()
        case 0x2c:
            guard let flags = peek(9, count: 1)?[0] else { return nil }
            step = .keptParts
            return .keep(11 + Self.tableSize(flags))
        case 0x3b:
            out.writeInteger(mark)
            return .dropRest
        default:
            return .keepRest
        }
    }

    private mutating func extensionBlock() -> Fate? {
        guard let label = peek(1, count: 1)?[0] else { return nil }
        switch label {
        case 0xfe: step = .droppedParts
        case 0xff:
            guard let name = peek(3, count: 11) else { return nil }
            step = Self.wanted.contains(String(decoding: name, as: UTF8.self)) ? .keptParts : .droppedParts
        default: step = .keptParts
        }
        return step == .keptParts ? .keep(2) : .drop(2)
    }

    /// The size of a colour table in bytes, if the flags declare one.
    private static func tableSize(_ flags: UInt8) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
    }
}
