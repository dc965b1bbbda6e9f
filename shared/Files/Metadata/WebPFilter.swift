import NIOCore

/// Blanks the chunks of a WebP (RFC 9649) with EXIF and XMP data, and clears their flags. The chunks stay in place
/// under a name that decoders ignore, because the file's length is stored at its beginning.
struct WebPFilter: SegmentFilter {
    var input = ByteBuffer()
    /// Initially `RIFF`, the length, `WEBP`.
    var fate = Fate.keep(12)

    var keepsUndecided: Bool { true }

    mutating func decide(into out: inout ByteBuffer) -> Fate? {
        guard let name = peek(count: 4),
            let length = input.getInteger(at: input.readerIndex + 4, endianness: .little, as: UInt32.self)
        else { return nil }
        guard name.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return .keepRest }
        let padded = Int(length) + Int(length & 1)
        switch String(decoding: name, as: UTF8.self) {
        case "EXIF", "XMP ":
            out.writeString("JUNK")
            out.writeInteger(length, endianness: .little)
            input.moveReaderIndex(forwardBy: 8)
            return .blank(padded)
        case "VP8X":
            guard let flags = peek(8, count: 1)?[0] else { return nil }
            input.setInteger(flags & ~0x0c, at: input.readerIndex + 8)
            return .keep(8 + padded)
        default:
            return .keep(8 + padded)
        }
    }
}
