import NIOCore
import TestKit
import Testing
import Values

@testable import Files

@Suite struct MetadataFilterTests {
    /// The output for input in chunks of `size` bytes.
    private func clean(_ type: FileType, _ bytes: [UInt8], size: Int) -> [UInt8] {
        var filter = MetadataFilter(type)
        var out = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            filter.filter(ByteBuffer(bytes: rest.prefix(size)), into: &out)
            rest = rest.dropFirst(size)
        }
        filter.finish(into: &out)
        return Array(out.readableBytesView)
    }

    private func expect(_ type: FileType, _ bytes: [UInt8], becomes expected: [UInt8]) {
        for size in [1, 2, 7, 100, 100_000] { #expect(clean(type, bytes, size: size) == expected) }
    }

    // MARK: JPEG

    @Test func jpegWithoutMetadata_isUnchanged() {
        for size in [200, 5000] {
            let picture = Picture.jpeg(size: size)
            #expect(picture.count == size)
            expect(.jpeg, picture, becomes: picture)
        }
    }

    @Test func jpegMetadata_isRemoved() {
        let picture = Picture.jpeg()
        let (start, rest) = (Array(picture.prefix(20)), Array(picture.dropFirst(20)))
        let dropped = [
            Picture.segment(0xe1, Picture.exif(orientation: 1)),
            Picture.segment(0xe1, Picture.exif(orientation: 1, isLittleEndian: true)),
            Picture.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8)),
            Picture.segment(0xed, Array("Photoshop 3.0\0".utf8)), Picture.segment(0xfe, Array("comment".utf8)),
            Picture.segment(0xe2, Array("MPF\0".utf8)), Picture.segment(0xe5, [1, 2, 3]), Picture.segment(0xfe, []),
            Picture.segment(0xe1, Array(repeating: 0xff, count: 65_533)),
        ]
        for segment in dropped { expect(.jpeg, start + segment + rest, becomes: picture) }
        expect(.jpeg, start + dropped.joined() + rest, becomes: picture)
    }

    @Test func jpegDisplaySegments_areKept() {
        let picture = Picture.jpeg()
        for segment in [
            Picture.segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Array(repeating: 9, count: 500)),
            Picture.segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]), Picture.segment(0xdd, [0, 8]),
        ] {
            let whole = Array(picture.prefix(20)) + segment + Array(picture.dropFirst(20))
            expect(.jpeg, whole, becomes: whole)
        }
        // Several scans with restart marks, stuffed bytes and tables between them.
        var scans: [UInt8] = Array(picture.dropLast(2))
        scans += [0xff, 0x00, 0xff, 0xd0, 0x11, 0xff, 0xd7] + Picture.segment(0xc4, Array(repeating: 3, count: 30))
        scans += Picture.segment(0xda, [1, 1, 0, 0, 63, 0]) + [0x22, 0xff, 0x00, 0xff, 0xd9]
        expect(.jpeg, scans, becomes: scans)
    }

    @Test(arguments: 2...8, [false, true])
    func exifOrientation_isKept(orientation: Int, isLittleEndian: Bool) {
        let exif = Picture.exif(orientation: orientation, isLittleEndian: isLittleEndian)
        let picture = Picture.jpeg()
        let whole = Array(picture.prefix(20)) + Picture.segment(0xe1, exif) + Array(picture.dropFirst(20))
        let found = clean(.jpeg, Array(whole), size: 64)
        let segment = Orientation.segment(orientation)
        #expect(found == Array(picture.prefix(20)) + segment + Array(picture.dropFirst(20)))
        #expect(Orientation.read(exif: Array(segment.dropFirst(4))) == orientation)
        #expect(segment.count == 2 + (Int(segment[2]) << 8 | Int(segment[3])))
        #expect(!String(decoding: found, as: UTF8.self).contains(Picture.place))
    }

    @Test func metadataAfterEndOrBetweenScans_isRemoved() {
        let picture = Picture.jpeg()
        let second = Picture.jpeg(orientation: 6)
        expect(.jpeg, picture + second, becomes: picture)
        let exif = Picture.segment(0xe1, Picture.exif(orientation: 1))
        expect(.jpeg, Array(picture.dropLast(2)) + exif + [0xff, 0xd9], becomes: picture)
        // Decoders skip bytes between segments and fill bytes.
        let junk: [UInt8] = [0, 1, 2, 0xff, 0]
        let (start, rest) = (Array(picture.prefix(20)), Array(picture.dropFirst(20)))
        expect(.jpeg, start + junk + [0xff, 0xff] + exif.dropFirst() + rest, becomes: start + junk + rest)
    }

    @Test func truncatedJPEG_isKeptWithoutMetadata() {
        let picture = Picture.jpeg()
        expect(.jpeg, Array(picture.dropLast(2)), becomes: Array(picture.dropLast(2)))
        let exif = Picture.segment(0xe1, Picture.exif(orientation: 6))
        expect(.jpeg, Array(picture.prefix(20)) + exif.dropLast(5), becomes: Array(picture.prefix(20)))
        let zeros: [UInt8] = [0xff, 0xd8, 0xff] + Array(repeating: 0, count: 300)
        expect(.jpeg, zeros, becomes: zeros)
    }

    @Test func invalidEXIF_hasNoOrientation() {
        let good = Picture.exif(orientation: 6)
        for length in 0..<50 { _ = Orientation.read(exif: Array(good.prefix(length))) }
        var random = SplitMix(state: 3)
        for _ in 0..<2000 {
            var broken = good
            broken[Int.random(in: 6..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if let orientation = Orientation.read(exif: broken) { #expect((1...8).contains(orientation)) }
        }
        #expect(Orientation.read(exif: Picture.exif(orientation: 9)) == nil)
        #expect(Orientation.read(exif: Picture.exif(orientation: 0)) == nil)
    }

    /// The output is the same for any chunks of any input.
    @Test(arguments: [FileType.jpeg, .png, .gif, .webp])
    func output_doesNotDependOnChunks(type: FileType) {
        var random = SplitMix(state: 5)
        let exif = Picture.segment(0xe1, Picture.exif(orientation: 3))
        let pictures: [FileType: [UInt8]] = [
            .jpeg: Array(Picture.jpeg().prefix(20)) + exif + Array(Picture.jpeg().dropFirst(20)),
            .png: Picture.png(chunks: [("eXIf", [1, 2, 3]), ("gAMA", [0, 0, 1, 0])]),
            .gif: Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x21, 0xfe, 3, 1, 2, 3, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0]
                + [0, 2, 2, 0x4c, 1, 0, 0x3b],
            .webp: Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [4, 0, 0, 0, 1, 2, 3, 4]
                + Array("EXIF".utf8) + [3, 0, 0, 0, 7, 7, 7, 0],
        ]
        for _ in 0..<2000 {
            var bytes = pictures[type] ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = 0xff
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            let whole = clean(type, bytes, size: bytes.count)
            #expect(clean(type, bytes, size: Int.random(in: 1...40, using: &random)) == whole)
            #expect(whole.count <= bytes.count)
        }
    }

    // MARK: PNG, WebP, GIF

    @Test func pngMetadata_isRemoved() {
        let picture = Picture.png()
        let kept: [(name: String, data: [UInt8])] = [("gAMA", [0, 0, 1, 0]), ("pHYs", Array(repeating: 1, count: 9))]
        let dropped = ["eXIf", "tEXt", "iTXt", "zTXt", "tIME", "iDOT", "prVt"].map {
            (name: $0, data: Array(Picture.place.utf8))
        }
        expect(.png, picture, becomes: picture)
        expect(.png, Picture.png(chunks: kept + dropped), becomes: Picture.png(chunks: kept))
        expect(.png, picture + Array("behind the end".utf8), becomes: picture)
        expect(.png, Array(picture.dropLast(20)), becomes: Array(picture.dropLast(20)))
        let signature = Array(picture.prefix(8)) + Array(repeating: 0, count: 50)
        expect(.png, signature, becomes: signature)
    }

    @Test func webPMetadata_isOverwrittenWithZeros() {
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let length = data.count
            return Array(name.utf8) + [UInt8(length & 0xff), UInt8(length >> 8), 0, 0] + data
                + (length % 2 == 0 ? [] : [0])
        }
        func webp(_ chunks: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
        }
        let data = chunk("VP8 ", [1, 2, 3])
        let place = Array(Picture.place.utf8) + [1]
        let whole = webp(chunk("VP8X", [0x3c] + Array(repeating: 0, count: 9)) + data + chunk("EXIF", place))
        let blank = Array(repeating: UInt8(0), count: place.count)
        let expected = webp(chunk("VP8X", [0x30] + Array(repeating: 0, count: 9)) + data + chunk("JUNK", blank))
        #expect(whole.count == expected.count)
        expect(.webp, whole, becomes: expected)
        expect(.webp, webp(data), becomes: webp(data))
    }

    @Test func gifMetadata_isRemoved() {
        let header = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
        let loop: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let control: [UInt8] = [0x21, 0xf9, 4, 0, 0, 0, 0, 0]
        let image: [UInt8] = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]
        let comment: [UInt8] = [0x21, 0xfe, 3] + Array("abc".utf8) + [2, 0x21, 0x2c, 0]
        let xmp: [UInt8] = [0x21, 0xff, 11] + Array("XMP DataXMP".utf8) + [5] + Array("<xmp>".utf8) + [0]
        let plain = header + loop + control + image + [0x3b]
        expect(.gif, plain, becomes: plain)
        expect(.gif, header + comment + loop + xmp + control + image + comment + [0x3b, 1, 2], becomes: plain)
    }
}
