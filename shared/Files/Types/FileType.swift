/// The type of a file, detected by its first bytes and not by its name.
package enum FileType: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp, heic, pdf, mp4, mov, avi, matroska, wmv

    /// The `Content-Type` of responses with the file.
    package var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .heic: "image/heic"
        case .pdf: "application/pdf"
        case .mp4: "video/mp4"
        case .mov: "video/quicktime"
        case .avi: "video/x-msvideo"
        case .matroska: "video/x-matroska"
        case .wmv: "video/x-ms-wmv"
        }
    }

    /// The file extension, without a dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .matroska: "mkv"
        default: rawValue
        }
    }

    /// The number of bytes that are enough to detect the type.
    package static let headSize = 16

    /// - Parameter head: The first `headSize` bytes, or fewer if the file is shorter.
    package init?(head: some Collection<UInt8>) {
        let head = Array(head.prefix(Self.headSize))
        guard let type = Self.signatures.first(where: { $0.matches(head) })?.type else { return nil }
        self = type
    }

    /// The byte sequences at fixed offsets that identify a type.
    private struct Signature {
        var type: FileType
        var marks: [(offset: Int, bytes: [UInt8])]

        init(_ type: FileType, _ bytes: [UInt8]) {
            self.type = type
            marks = [(0, bytes)]
        }

        /// - Parameter marks: Texts at their offsets, such as the brand at byte 8 of an ISO base media file.
        init(_ type: FileType, _ marks: (offset: Int, text: String)...) {
            self.type = type
            self.marks = marks.map { ($0.offset, Array($0.text.utf8)) }
        }

        func matches(_ head: [UInt8]) -> Bool {
            marks.allSatisfy { mark in head.dropFirst(mark.offset).starts(with: mark.bytes) }
        }
    }

    /// The first match applies.
    private static let signatures: [Signature] =
        [
            Signature(.jpeg, [0xff, 0xd8, 0xff]),
            Signature(.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
            Signature(.gif, (0, "GIF87a")), Signature(.gif, (0, "GIF89a")),
            Signature(.webp, (0, "RIFF"), (8, "WEBP")),
            Signature(.avi, (0, "RIFF"), (8, "AVI ")),
            Signature(.pdf, (0, "%PDF-")),
            Signature(.matroska, [0x1a, 0x45, 0xdf, 0xa3]),
            Signature(.wmv, [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]),
        ]
        + ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
        .map { Signature(.heic, (4, "ftyp"), (8, $0)) }
        + [
            Signature(.mov, (4, "ftyp"), (8, "qt  ")), Signature(.mp4, (4, "ftyp")), Signature(.mov, (4, "moov")),
            Signature(.mov, (4, "mdat")), Signature(.mov, (4, "wide")),
        ]
}

extension Set<FileType> {
    /// Picture types whose metadata can be stripped.
    package static let pictures: Set = [.jpeg, .png, .gif, .webp, .heic]
    /// Picture types without animation.
    package static let stills: Set = [.jpeg, .png]
}
