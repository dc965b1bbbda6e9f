import NIOCore

/// Blanks what cameras and scanners write into a PDF (ISO 32000-1): XMP packets, the author, the program and the times of
/// the document information, and EXIF data of embedded JPEG pictures. Nothing moves, since a PDF's tables refer to positions.
///
/// The file is held until its end; the limit of uploads bounds it. What is compressed or encrypted is not read: cameras
/// and scanners leave these parts plain.
struct PDFFilter {
    private var file = ByteBuffer()

    private static let keys = ["/Author", "/Creator", "/Producer", "/CreationDate", "/ModDate"].map { Array($0.utf8) }
    private static let packet = (begin: Array("<?xpacket begin".utf8), end: Array("<?xpacket end".utf8))
    private static let exif = Array("Exif\0\0".utf8)
    private static let space = UInt8(ascii: " ")

    mutating func filter(_ bytes: ByteBuffer) {
        file.writeImmutableBuffer(bytes)
    }

    mutating func finish(into out: inout ByteBuffer) {
        var bytes = file.readBytes(length: file.readableBytes) ?? []
        Self.blank(&bytes)
        out.writeBytes(bytes)
    }

    static func blank(_ bytes: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"):
                if let key = keys.first(where: { bytes[index...].starts(with: $0) }) {
                    blankText(&bytes, after: index + key.count)
                }
            case UInt8(ascii: "<") where bytes[index...].starts(with: packet.begin):
                let content = (bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex - 1) + 1
                let end = position(of: packet.end, in: bytes, from: content) ?? bytes.endIndex
                blank(&bytes, content..<end, with: space)
            case UInt8(ascii: "E") where bytes[index...].starts(with: exif) && index >= 4:
                guard bytes[index - 4] == 0xff, bytes[index - 3] == 0xe1 else { break }
                // The length of a segment counts itself.
                let end = index - 2 + (Int(bytes[index - 2]) << 8 | Int(bytes[index - 1]))
                let start = index + exif.count
                blank(&bytes, start..<max(start, min(end, bytes.count)), with: 0)
            default: break
            }
            index += 1
        }
    }

    /// Blanks a string, `(…)` or `<…>`, that follows a key.
    private static func blankText(_ bytes: inout [UInt8], after key: Int) {
        var index = key
        while index < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[index]) { index += 1 }
        guard index + 1 < bytes.count else { return }
        if bytes[index] == UInt8(ascii: "<"), bytes[index + 1] != UInt8(ascii: "<") {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            blank(&bytes, index + 1..<end, with: UInt8(ascii: "0"))
        } else if bytes[index] == UInt8(ascii: "(") {
            let start = index + 1
            var (depth, isEscaped) = (0, false)
            while index < bytes.count {
                let byte = bytes[index]
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "(") {
                    depth += 1
                } else if byte == UInt8(ascii: ")") {
                    depth -= 1
                    if depth == 0 { break }
                }
                index += 1
            }
            blank(&bytes, start..<index, with: space)
        }
    }

    private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>, with byte: UInt8) {
        for index in range { bytes[index] = byte }
    }

    private static func position(of word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while let next = bytes[index...].firstIndex(of: word[0]) {
            if bytes[next...].starts(with: word) { return next }
            index = next + 1
        }
        return nil
    }
}
