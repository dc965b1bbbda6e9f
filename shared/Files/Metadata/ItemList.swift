import NIOCore

/// The metadata items that a HEIC's `meta` box lists (ISO/IEC 14496-12, sections 8.11.3 and 8.11.6).
struct ItemList {
    /// Their positions in the file.
    private(set) var ranges: [Range<Int>] = []
    /// Their positions in the box itself.
    private(set) var inner: [Range<Int>] = []
    /// Whether all positions are known.
    private(set) var isComplete = true

    /// Types of items with EXIF data, XMP data, and data described by a URI.
    private static let metadata: Set = ["Exif", "mime", "uri "]

    /// - Returns: nil for a box without items.
    init?(_ box: [UInt8], headerLength: Int) {
        var children: [String: (content: ByteBuffer, start: Int)] = [:]
        // After version and flags.
        var position = headerLength + 4
        while position + 8 <= box.count {
            let rest = ByteBuffer(bytes: box[position...])
            guard let child = BoxHeader(rest) else { break }
            let size = child.size ?? rest.readableBytes
            guard size >= child.length, size <= rest.readableBytes,
                let content = rest.getSlice(at: child.length, length: size - child.length)
            else { break }
            children[child.type] = (content, position + child.length)
            position += size
        }
        guard let information = children["iinf"]?.content, let locations = children["iloc"]?.content else { return nil }
        guard let items = Self.metadataItems(information),
            let extents = Self.extents(of: items, in: locations)
        else {
            isComplete = false
            return
        }
        for extent in extents {
            switch (extent.method, children["idat"]) {
            case (0, _): ranges.append(extent.range)
            case (1, let data?):
                let end = min(data.start + extent.range.upperBound, data.start + data.content.readableBytes)
                inner.append(min(data.start + extent.range.lowerBound, end)..<end)
            default: isComplete = false
            }
        }
        inner.sort { $0.lowerBound < $1.lowerBound }
    }

    /// The ids of metadata items; nil for an invalid box.
    private static func metadataItems(_ box: ByteBuffer) -> Set<UInt32>? {
        var box = box
        guard let version = box.readVersion(), let count = box.readNumber(version == 0 ? 2 : 4) else { return nil }
        var found: Set<UInt32> = []
        for _ in 0..<count {
            guard let header = BoxHeader(box), let size = header.size, size >= header.length,
                var entry = box.readSlice(length: size)
            else { return nil }
            entry.moveReaderIndex(forwardBy: header.length)
            // Entries of versions 0 and 1 are files without a type.
            guard let version = entry.readVersion() else { return nil }
            guard version >= 2 else { continue }
            guard let id = entry.readNumber(version == 2 ? 2 : 4), entry.readNumber(2) != nil,
                let type = entry.readString(length: 4)
            else { return nil }
            if metadata.contains(type) { found.insert(UInt32(id)) }
        }
        return found
    }

    /// A part of an item.
    private struct Extent {
        /// 0: in the file. 1: in the `idat` box. 2: in another item.
        var method: Int
        var range: Range<Int>
    }

    /// The parts of items; nil for an invalid box.
    private static func extents(of items: Set<UInt32>, in box: ByteBuffer) -> [Extent]? {
        var box = box
        guard let version = box.readVersion(), let sizes = box.readNumber(2),
            let count = box.readNumber(version < 2 ? 2 : 4)
        else { return nil }
        let (offset, length, base) = (sizes >> 12 & 15, sizes >> 8 & 15, sizes >> 4 & 15)
        let index = version == 0 ? 0 : sizes & 15
        var found: [Extent] = []
        for _ in 0..<count {
            guard let id = box.readNumber(version < 2 ? 2 : 4), let method = version == 0 ? 0 : box.readNumber(2),
                box.readNumber(2) != nil, let start = box.readNumber(base), let extents = box.readNumber(2)
            else { return nil }
            // Parts without a size are the whole file.
            guard index + offset + length > 0 else {
                guard !items.contains(UInt32(truncatingIfNeeded: id)) else { return nil }
                continue
            }
            for _ in 0..<extents {
                guard box.readNumber(index) != nil, let from = box.readNumber(offset),
                    let size = box.readNumber(length),
                    start < 1 << 48, from < 1 << 48, size < 1 << 48
                else { return nil }
                guard items.contains(UInt32(truncatingIfNeeded: id)) else { continue }
                guard size > 0 else { return nil }
                found.append(Extent(method: method & 15, range: start + from..<start + from + size))
            }
        }
        return found
    }
}

extension ByteBuffer {
    /// The version of a box with version and flags.
    fileprivate mutating func readVersion() -> Int? { readNumber(4).map { $0 >> 24 } }

    /// A number of 0 to 8 bytes; 0 for one of no bytes.
    fileprivate mutating func readNumber(_ size: Int) -> Int? {
        guard size <= 8, let bytes = readBytes(length: size) else { return nil }
        return Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & (1 << 62 - 1))
    }
}
