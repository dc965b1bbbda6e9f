import TestKit
import Testing

@testable import Files

@Suite struct FileTypeTests {
    @Test(arguments: [
        ([0xff, 0xd8, 0xff, 0xe0], FileType.jpeg), (Array("GIF89a".utf8), .gif), (Array("GIF87a".utf8), .gif),
        (Array("RIFF\0\0\0\0WEBP".utf8), .webp), (Array("RIFF\0\0\0\0AVI ".utf8), .avi),
        (Array("%PDF-1.7".utf8), .pdf), (Array("\0\0\0\u{18}ftypisom".utf8), .mp4),
        (Array("\0\0\0\u{18}ftypqt  ".utf8), .mov), (Array("\0\0\0\u{8}wide".utf8), .mov),
        (Array("\0\0\0\u{18}ftypheic".utf8), .heic), ([0x1a, 0x45, 0xdf, 0xa3], .matroska),
        ([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], .wmv),
    ])
    func fileType_isDetectedByFirstBytes(head: [UInt8], type: FileType) {
        #expect(FileType(head: head) == type)
        #expect(FileType(head: head + Array(repeating: 0, count: 100)) == type)
    }

    @Test(arguments: [
        [], [0xff, 0xd8], Array("GIF88a".utf8), Array("RIFF\0\0\0\0WAVE".utf8), Array("<html>".utf8),
        Array("<svg xmlns=".utf8), Array("#!/bin/sh".utf8), [0x4d, 0x5a, 0x90], [0, 0xff, 0xd8, 0xff],
    ])
    func unknownBytes_haveNoFileType(head: [UInt8]) {
        #expect(FileType(head: head) == nil)
    }

    @Test func fileTypes_haveUniqueExtensions() {
        #expect(FileType(head: Picture.jpeg())?.fileExtension == "jpg")
        #expect(FileType(head: Picture.png())?.contentType == "image/png")
        #expect(Set(FileType.allCases.map(\.fileExtension)).count == FileType.allCases.count)
    }
}
