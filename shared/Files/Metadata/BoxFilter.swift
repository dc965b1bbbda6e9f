import NIOCore

/// Blanks what cameras write into files of boxes: MP4 (ISO/IEC 14496-12), QuickTime and HEIC (ISO/IEC 23008-12).
///
/// Boxes that describe neither pictures nor sound, such as `udta` and `uuid`, become `free` and their content zeros, since
/// other boxes refer to positions in the file. Times of recording become zero. In a HEIC picture the content of items
/// with EXIF and XMP data becomes zeros. A file with metadata that cannot be blanked while it streams through is refused:
/// a track of positions, or items that lie before the box that lists them.
struct BoxFilter: SegmentFilter {
    var input = ByteBuffer()
    var fate = Fate.keep(0)
    /// Whether the file has metadata that cannot be removed.
    private(set) var isRefused = false
    /// The position of `input` in the file, when a box begins.
    private var position = 0
    /// Fates of parts of the current box.
    private var parts: [Fate] = []
    /// Positions of metadata items, in order.
    private var items: [Range<Int>] = []
    private var isMetadataTrack = false

    /// Bytes that are too few for a box are kept; a metadata box that the file does not have whole is not.
    var keepsUndecided: Bool { input.readableBytes < 8 }

    /// Boxes whose content is boxes.
    private static let containers: Set = [
        "moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex", "edts", "dinf",
    ]

    /// Boxes that are needed to play or show the file.
    private static let needed: Set = [
        "ftyp", "styp", "mdat", "idat", "pdin", "iods", "hdlr", "elst", "tref", "tapt", "load", "clip", "matt", "vmhd",
        "smhd", "gmhd", "nmhd", "hmhd", "sthd", "dref", "url ", "urn ", "stsd", "stts", "ctts", "cslg", "stss", "stps",
        "stsc", "stsz", "stz2", "stco", "co64", "sgpd", "sbgp", "sdtp", "subs", "padb", "saiz", "saio", "stdp", "stsh",
        "mehd", "trex", "leva", "mfhd", "tfhd", "tfdt", "trun", "sidx", "ssix", "mfra", "wide",
    ]

    /// The largest size of boxes that are read as a whole, in bytes.
    private static let largestRead = 1 << 20

    mutating func decide(into out: inout ByteBuffer) -> Fate? {
        if !parts.isEmpty { return parts.removeFirst() }
        guard !isRefused else { return .dropRest }
        guard let box = BoxHeader(input) else { return nil }
        guard let size = box.size else { return end(with: box) }
        guard size >= box.length else { return .keepRest }
        let fate = decide(on: box, size, into: &out)
        if fate != nil { position += Self.containers.contains(box.type) ? box.length : size }
        return fate
    }

    /// The last box, which extends to the end of the file.
    private mutating func end(with box: BoxHeader) -> Fate {
        guard box.type == "mdat" else { return .dropRest }
        parts = split(position..<Int.max)
        return parts.removeFirst()
    }

    private mutating func decide(on box: BoxHeader, _ size: Int, into out: inout ByteBuffer) -> Fate? {
        switch box.type {
        case "trak":
            isMetadataTrack = false
            return .keep(box.length)
        case let type where Self.containers.contains(type): return .keep(box.length)
        case "mvhd", "tkhd", "mdhd": return times(of: box, size, into: &out)
        case "meta": return list(of: box, size, into: &out)
        case "hdlr":
            guard let handler = peek(box.length + 8, count: 4) else { return nil }
            if handler == Array("meta".utf8) { isMetadataTrack = true }
            return .keep(size)
        case "stsd" where isMetadataTrack:
            guard size <= Self.largestRead, let content = peek(count: size) else {
                return size > Self.largestRead ? refuse() : nil
            }
            return Self.isHarmless(content.dropFirst(box.length)) ? .keep(size) : refuse()
        case let type where Self.needed.contains(type):
            parts = split(position..<position + size)
            return parts.removeFirst()
        default: return blank(box, size, into: &out)
        }
    }

    /// Blanks a box with its content.
    private mutating func blank(_ box: BoxHeader, _ size: Int, into out: inout ByteBuffer) -> Fate? {
        guard var header = input.readSlice(length: box.length) else { return nil }
        header.setString("free", at: header.readerIndex + 4)
        out.writeBuffer(&header)
        return .blank(size - box.length)
    }

    /// Blanks the times of creation and change at the start of a box: 32 bits each in version 0, 64 in version 1.
    private mutating func times(of box: BoxHeader, _ size: Int, into out: inout ByteBuffer) -> Fate? {
        guard let version = peek(box.length, count: 1)?[0] else { return nil }
        let (start, count) = (box.length + 4, version == 1 ? 16 : 8)
        guard size >= start + count else { return .keep(size) }
        parts = [.blank(count), .keep(size - start - count)]
        return .keep(start)
    }

    /// A list of items, whose metadata items are noted; any other `meta` box is blanked.
    private mutating func list(of box: BoxHeader, _ size: Int, into out: inout ByteBuffer) -> Fate? {
        guard size <= Self.largestRead else { return refuse() }
        guard let content = peek(count: size) else { return nil }
        guard let list = ItemList(content, headerLength: box.length) else { return blank(box, size, into: &out) }
        let end = position + size
        let ranges = list.ranges.sorted { $0.lowerBound < $1.lowerBound }
        guard list.isComplete, ranges.allSatisfy({ $0.lowerBound >= end }) else { return refuse() }
        items = ranges
        parts = Self.split(0..<size, at: list.inner)
        return parts.removeFirst()
    }

    private mutating func refuse() -> Fate {
        isRefused = true
        return .dropRest
    }

    private func split(_ box: Range<Int>) -> [Fate] { Self.split(box, at: items) }

    /// The parts of a box, of which those at the ranges are blanked.
    private static func split(_ box: Range<Int>, at ranges: [Range<Int>]) -> [Fate] {
        var fates: [Fate] = []
        var position = box.lowerBound
        for range in ranges {
            let part = range.clamped(to: position..<box.upperBound)
            guard !part.isEmpty else { continue }
            if part.lowerBound > position { fates.append(.keep(part.lowerBound - position)) }
            fates.append(.blank(part.count))
            position = part.upperBound
        }
        if position < box.upperBound || fates.isEmpty { fates.append(.keep(box.upperBound - position)) }
        return fates
    }

    /// Whether the samples of a metadata track hold no place: Apple's `mebx` names the keys of its samples.
    private static func isHarmless(_ description: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: description, as: UTF8.self)
        return description.dropFirst(12).starts(with: Array("mebx".utf8)) && !text.lowercased().contains("location")
    }
}

/// The header of a box.
struct BoxHeader {
    var type: String
    /// Of the header: 8 or 16 bytes.
    var length: Int
    /// Of the box; nil for one that extends to the end of the file.
    var size: Int?

    /// - Returns: nil if more bytes are needed.
    init?(_ bytes: ByteBuffer) {
        let start = bytes.readerIndex
        guard let short = bytes.getInteger(at: start, as: UInt32.self),
            let name = bytes.getBytes(at: start + 4, length: 4)
        else { return nil }
        type = String(decoding: name, as: UTF8.self)
        switch short {
        case 0: (length, size) = (8, nil)
        case 1:
            guard let long = bytes.getInteger(at: start + 8, as: UInt64.self) else { return nil }
            // A size beyond all files is that of an invalid box, too.
            (length, size) = (16, long < 1 << 48 ? Int(long) : 0)
        default: (length, size) = (8, Int(short))
        }
    }
}
