import NIOCore
import TestKit
import Testing
import Values

@testable import Files

@Suite struct BoxFilterTests {
    /// The output for input in chunks of `size` bytes; nil for a refused file.
    private func clean(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var filter = MetadataFilter(.mov)
        var out = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            filter.filter(ByteBuffer(bytes: rest.prefix(size)), into: &out)
            guard !filter.isRefused else { return nil }
            rest = rest.dropFirst(size)
        }
        filter.finish(into: &out)
        return Array(out.readableBytesView)
    }

    private func expect(_ bytes: [UInt8], becomes expected: [UInt8]?) {
        for size in [1, 3, 16, 100, 100_000] { #expect(clean(bytes, size: size) == expected, "in parts of \(size)") }
    }

    private static let brand = Box.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))
    private static let place = Array("+37.5665+126.9780/".utf8)

    private static func movie(
        _ extra: [UInt8] = [],
        times: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0],
        track: [UInt8] = []
    ) -> [UInt8] {
        let header = Box.box("mvhd", [0, 0, 0, 0] + times + [0, 0, 2, 88, 0, 0, 0, 9])
        let tkhd = Box.box("tkhd", [1, 0, 0, 7] + times + times + [0, 0, 0, 1])
        let mdhd = Box.box("mdhd", [0, 0, 0, 0] + times + [0, 0, 0, 1])
        let samples = Box.box("stbl", Box.box("stsd", [0, 0, 0, 0, 0, 0, 0, 1]) + Box.box("stco", [0, 0, 0, 0]))
        let media = Box.box("mdia", mdhd + Box.hdlr("vide") + Box.box("minf", samples))
        return brand + Box.box("moov", header + Box.box("trak", tkhd + media) + track + extra)
            + Box.box("mdat", Array(repeating: 7, count: 50))
    }

    @Test func movieWithoutMetadata_isUnchanged() {
        expect(Self.movie(), becomes: Self.movie())
        // A box with a size of 64 bits, and one that extends to the end.
        let long = Self.brand + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]
        expect(
            long + [0, 0, 0, 0] + Array("mdat".utf8) + [9, 9],
            becomes: long + [0, 0, 0, 0] + Array("mdat".utf8) + [9, 9]
        )
    }

    @Test(arguments: ["udta", "uuid", "meta", "XMP_", "gps ", "free", "skip", "Xtra"])
    func metadataBox_becomesZerosInPlace(type: String) {
        let content = type == "udta" ? Box.box("\u{a9}xyz".latin1, Self.place) : Self.place
        let blanked = Box.box("free", Array(repeating: 0, count: content.count))
        expect(Self.movie(Box.box(type, content)), becomes: Self.movie(blanked))
        expect(Self.movie() + Box.box(type, content), becomes: Self.movie() + blanked)
    }

    @Test func timesOfRecording_becomeZero() {
        expect(Self.movie(times: [0xe3, 1, 2, 3, 0xe3, 1, 2, 3]), becomes: Self.movie())
    }

    /// Cameras write tracks whose samples are positions; Apple's tracks name the keys of their samples.
    @Test(arguments: [
        ("gpmd", "", true), ("camm", "", true), ("mebx", "com.apple.quicktime.location.ISO6709", true),
        ("mebx", "com.apple.quicktime.video-orientation", false),
    ])
    func metadataTrack_withPlaces_isRefused(format: String, keys: String, isRefused: Bool) {
        let entry = Box.box(format, Array(keys.utf8))
        let samples = Box.box("stbl", Box.box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry))
        let track = Box.box("trak", Box.box("mdia", Box.hdlr("meta") + Box.box("minf", samples)))
        expect(Self.movie(track: track), becomes: isRefused ? nil : Self.movie(track: track))
    }

    // MARK: HEIC

    /// A picture with an item of a type whose data are 18 bytes at an offset into `mdat`, or into `idat`.
    private static func picture(_ type: String, data: [UInt8], inside: Bool = false, early: Bool = false) -> [UInt8] {
        let brand = Box.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
        let entry = Box.box("infe", [2, 0, 0, 0, 0, 2, 0, 0] + Array(type.utf8) + [0])
        let items = Box.box("iinf", [0, 0, 0, 0, 0, 1] + entry)
        func list(_ offset: Int) -> [UInt8] {
            let place = [
                UInt8(offset >> 24 & 255), UInt8(offset >> 16 & 255), UInt8(offset >> 8 & 255), UInt8(offset & 255),
            ]
            let location =
                [1, 0, 0, 0, 0x44, 0, 0, 1, 0, 2, 0, inside ? 1 : 0, 0, 0, 0, 1] + place + [0, 0, 0, UInt8(data.count)]
            let content = Box.hdlr("pict") + items + Box.box("iloc", location)
            return Box.box("meta", [0, 0, 0, 0] + content + Box.box("idat", [5, 5] + (inside ? data : [])))
        }
        let pixels = Box.box("mdat", [1, 2, 3] + (inside ? [] : data) + [4, 5])
        if early { return brand + pixels + list(brand.count + 8 + 3) }
        let start = brand.count + list(0).count + 8 + 3
        return brand + list(inside ? 2 : start) + pixels
    }

    @Test(arguments: ["Exif", "mime", "uri "], [false, true])
    func metadataItem_becomesZeros(type: String, inside: Bool) {
        let zeros = [UInt8](repeating: 0, count: Self.place.count)
        expect(
            Self.picture(type, data: Self.place, inside: inside),
            becomes: Self.picture(type, data: zeros, inside: inside)
        )
    }

    @Test func pictureItem_isUnchanged() {
        expect(Self.picture("hvc1", data: Self.place), becomes: Self.picture("hvc1", data: Self.place))
    }

    @Test func metadataItem_beforeItsList_isRefused() {
        expect(Self.picture("Exif", data: Self.place, early: true), becomes: nil)
    }

    /// Whatever a file's boxes claim, the filter ends, keeps the file's size or refuses it.
    @Test func randomBoxes_areBoundedAndNeverLonger() {
        var random = SplitMix(state: 11)
        let types = ["moov", "trak", "meta", "iinf", "iloc", "udta", "stsd", "hdlr", "mdat", "mvhd", "infe", "idat"]
        for _ in 0..<3000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.next() % 12 {
                let size = [UInt32(8 + random.next() % 60), UInt32(random.next() % 9), .max][Int(random.next() % 3)]
                bytes += withUnsafeBytes(of: size.bigEndian, Array.init)
                bytes += Array(types[Int(random.next() % 12)].utf8)
                bytes += (0..<random.next() % 60).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            if let out = clean(bytes, size: 13) { #expect(out.count <= bytes.count) }
        }
    }
}

/// Boxes of a file.
private enum Box {
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { box(Array(type.utf8), content) }

    static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(content.count + 8).bigEndian, Array.init) + type + content
    }

    static func hdlr(_ handler: String) -> [UInt8] {
        box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(handler.utf8) + Array(repeating: 0, count: 13))
    }
}

extension String {
    /// The code units of a text of ISO 8859-1.
    fileprivate var latin1: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
