import NIOCore

/// Keeps the parts of a JPEG (ITU-T T.81) that are needed to display it: of the application segments those of JFIF, the
/// colour profile and Adobe. It removes comments and bytes after the end, where phones store further pictures with
/// metadata of their own.
///
/// The orientation is part of the EXIF data; if it is not the default, an EXIF segment with the orientation alone is
/// written instead. Bytes between segments that are not a marker are skipped, as decoders do.
struct JPEGFilter: SegmentFilter {
    var input = ByteBuffer()
    var fate = Fate.keep(0)
    /// Whether the position is after the header of a scan, before the next marker outside the scan.
    private var isInScan = false
    private var hasOrientation = false

    var keepsUndecided: Bool {
        guard let marker = peek(count: 2), marker[0] == 0xff else { return true }
        return !Self.isApplicationData(marker[1])
    }

    mutating func decide(into out: inout ByteBuffer) -> Fate? {
        let bytes = input.readableBytesView
        guard let start = bytes.firstIndex(of: 0xff) else { return bytes.isEmpty ? nil : .keep(bytes.count) }
        guard start == bytes.startIndex else { return .keep(start - bytes.startIndex) }
        guard let code = peek(1, count: 1)?[0] else { return nil }
        switch code {
        case 0x00, 0x01, 0xd0...0xd8: return .keep(2)
        case 0xff: return isInScan ? .keep(1) : .drop(1)
        case 0xd9:
            out.writeBytes([0xff, 0xd9])
            return .dropRest
        default:
            isInScan = false
            return segment(code, into: &out)
        }
    }

    private mutating func segment(_ code: UInt8, into out: inout ByteBuffer) -> Fate? {
        guard let length = input.getInteger(at: input.readerIndex + 2, as: UInt16.self).map(Int.init) else {
            return nil
        }
        guard length >= 2 else { return .keep(2) }
        guard Self.isApplicationData(code) else {
            isInScan = code == 0xda
            return .keep(2 + length)
        }
        guard let data = peek(4, count: length - 2) else { return nil }
        if Self.isNeeded(code, data) { return .keep(2 + length) }
        if code == 0xe1, !hasOrientation, let orientation = Orientation.read(exif: data), orientation != 1 {
            hasOrientation = true
            out.writeBytes(Orientation.segment(orientation))
        }
        return .drop(2 + length)
    }

    private static func isApplicationData(_ code: UInt8) -> Bool {
        (0xe0...0xef).contains(code) || code == 0xfe
    }

    private static func isNeeded(_ code: UInt8, _ data: [UInt8]) -> Bool {
        switch code {
        case 0xe0: data.starts(with: "JFIF\0".utf8)
        case 0xe2: data.starts(with: "ICC_PROFILE\0".utf8)
        case 0xee: data.starts(with: "Adobe".utf8)
        default: false
        }
    }
}

/// The orientation, which is the only EXIF data that a photograph cannot be displayed correctly without (CIPA DC-008
/// §4.6.4).
enum Orientation {
    private static let mark = Array("Exif\0\0".utf8)
    private static let tag = 0x0112

    /// 1 to 8; nil if the data is not EXIF or has no orientation.
    static func read(exif data: [UInt8]) -> Int? {
        guard data.starts(with: mark) else { return nil }
        let tiff = Array(data.dropFirst(mark.count))
        let isLittle = tiff.starts(with: "II".utf8)
        guard isLittle || tiff.starts(with: "MM".utf8) else { return nil }
        func number(at offset: Int, bytes: Int) -> Int? {
            guard offset >= 0, offset + bytes <= tiff.count else { return nil }
            let digits = tiff[offset..<(offset + bytes)]
            return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(at: 2, bytes: 2) == 42, let directory = number(at: 4, bytes: 4),
            let entries = number(at: directory, bytes: 2)
        else { return nil }
        for index in 0..<entries {
            let entry = directory + 2 + 12 * index
            guard let tag = number(at: entry, bytes: 2) else { return nil }
            guard tag == Self.tag else { continue }
            guard let value = number(at: entry + 8, bytes: 2), (1...8).contains(value) else { return nil }
            return value
        }
        return nil
    }

    /// An EXIF segment that contains only the orientation.
    static func segment(_ orientation: Int) -> [UInt8] {
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        let tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
        return [0xff, 0xe1, 0, UInt8(2 + mark.count + tiff.count)] + mark + tiff
    }
}
