import NIOCore

/// Keeps the chunks of a PNG (third edition, W3C 2025) that define the picture. It removes texts, times, EXIF data,
/// private chunks and bytes after the end. Bytes after an invalid chunk are kept, because no decoder reads them.
struct PNGFilter: SegmentFilter {
    var input = ByteBuffer()
    /// Initially the signature.
    var fate = Fate.keep(8)
    private var hasEnded = false

    var keepsUndecided: Bool { true }

    /// Ancillary chunks that affect how the picture is displayed.
    private static let wanted: Set = [
        "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL",
        "fcTL", "fdAT",
    ]

    mutating func decide(into out: inout ByteBuffer) -> Fate? {
        guard !hasEnded else { return .dropRest }
        guard let length = input.getInteger(at: input.readerIndex, as: UInt32.self), let name = peek(4, count: 4) else {
            return nil
        }
        guard length < 1 << 31, name.allSatisfy(Self.isLetter) else { return .keepRest }
        let size = 12 + Int(length)
        let text = String(decoding: name, as: UTF8.self)
        hasEnded = text == "IEND"
        let isCritical = name[0] & 0x20 == 0
        return isCritical || Self.wanted.contains(text) ? .keep(size) : .drop(size)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
