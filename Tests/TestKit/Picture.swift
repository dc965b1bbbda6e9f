/// Pictures as cameras write them: of the right structure, with nothing to see on them.
package enum Picture {
    /// Where the photograph was taken, as text that must not be found in what is served.
    package static let place = "37.5665N 126.9780E"

    /// A JPEG with a JFIF header, and, where asked for, EXIF data with a place in them.
    ///
    /// - Parameters:
    ///   - size: its bytes, at least a few hundred; the scan is as long as that takes.
    ///   - orientation: 1 to 8; nil for no EXIF data at all.
    package static func jpeg(size: Int = 600, orientation: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        bytes += segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        if let orientation { bytes += segment(0xe1, exif(orientation: orientation)) }
        bytes += segment(0xdb, Array(repeating: 1, count: 65))
        bytes += segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        bytes += segment(0xda, [1, 1, 0, 0, 63, 0])
        bytes += Array(repeating: 0x55, count: size - bytes.count - 2)
        return bytes + [0xff, 0xd9]
    }

    /// A PNG of one pixel.
    ///
    /// - Parameter chunks: further chunks, by name, before the picture's data.
    package static func png(chunks: [(name: String, data: [UInt8])] = []) -> [UInt8] {
        let header = chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
        let data = chunk("IDAT", [0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1])
        let more = chunks.flatMap { chunk($0.name, $0.data) }
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + header + more + data + chunk("IEND", [])
    }

    /// A JPEG segment with its marker and length.
    package static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xff, code, UInt8(length >> 8), UInt8(length & 0xff)] + data
    }

    /// A PNG chunk with its length and check sum (of no meaning here).
    package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        bigEndian(data.count) + Array(name.utf8) + data + [1, 2, 3, 4]
    }

    /// The data of an EXIF segment: orientation in the first directory, the place behind it.
    package static func exif(orientation: Int, isLittleEndian: Bool = false) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = bigEndian(value).suffix(size)
            return isLittleEndian ? bytes.reversed() : Array(bytes)
        }
        let head = Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
        let make = number(0x010f, 2) + number(2, 2) + number(4, 4) + Array("cam\0".utf8)
        let value = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
        let places = number(0x8825, 2) + number(4, 2) + number(1, 4) + number(50, 4)
        return Array("Exif\0\0".utf8) + head + number(3, 2) + make + value + places + number(0, 4)
            + Array(place.utf8)
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
