import NIOCore
import TestKit
import Testing

@testable import Files

@Suite struct PDFFilterTests {
    private func clean(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var filter = MetadataFilter(.pdf)
        var out = ByteBuffer()
        for start in stride(from: 0, to: bytes.count, by: 7) {
            filter.filter(ByteBuffer(bytes: bytes[start..<min(start + 7, bytes.count)]), into: &out)
        }
        filter.finish(into: &out)
        #expect(out.readableBytes == bytes.count, "a PDF's tables refer to positions")
        return String(buffer: out)
    }

    @Test(arguments: [
        ("/Author (Haru \\) (Kim)) /Title (Plan)", "/Author (             ) /Title (Plan)"),
        ("<</CreationDate(D:20261124)/ModDate (D:2026)>>", "<</CreationDate(          )/ModDate (      )>>"),
        ("/Producer <FEFF0041> /Creator\n(iPhone)", "/Producer <00000000> /Creator\n(      )"),
        ("/Author 12 0 R /Creator <</Name (x)>>", "/Author 12 0 R /Creator <</Name (x)>>"),
        ("<?xpacket begin=\"\"?><x:xmp/><?xpacket end=\"w\"?>", "<?xpacket begin=\"\"?>        <?xpacket end=\"w\"?>"),
        ("BT (Hello) Tj ET", "BT (Hello) Tj ET"),
        ("/Author (open", "/Author (    "), ("/Author (", "/Author ("), ("/Author", "/Author"),
        ("<?xpacket begin", "<?xpacket begin"),
    ])
    func information_isBlankedInPlace(text: String, expected: String) {
        #expect(clean("%PDF-1.7 " + text) == "%PDF-1.7 " + expected)
    }

    @Test func exifOfPictures_becomesZeros() {
        let place = Array("37.5665N".utf8)
        func file(_ data: [UInt8], length: UInt8) -> [UInt8] {
            Array("%PDF-1.4 stream ".utf8) + [0xff, 0xd8, 0xff, 0xe1, 0, length] + Array("Exif\0\0".utf8) + data
                + [0xff, 0xdb, 1, 2]
        }
        var bytes = file(place, length: 16)
        PDFFilter.blank(&bytes)
        #expect(bytes == file(Array(repeating: 0, count: 8), length: 16))
        // Lengths that are too small or too large end with the segment's own bytes or the file.
        for length in [0, 2, 255] as [UInt8] {
            var bytes = file(place, length: length)
            PDFFilter.blank(&bytes)
            #expect(bytes.count == file(place, length: length).count)
        }
    }
}
