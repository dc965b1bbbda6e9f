import NIOCore

/// Strips the metadata of cameras and editors from a file while it streams through: place, time, device, author,
/// comments. No pixels are decoded. Bytes that are invalid for the type are handled as a decoder of that type would
/// skip them.
enum MetadataFilter {
    case jpeg(JPEGFilter)
    case png(PNGFilter)
    case gif(GIFFilter)
    case webp(WebPFilter)
    case boxes(BoxFilter)
    case pdf(PDFFilter)
    /// Types without a filter.
    case none

    init(_ type: FileType) {
        self =
            switch type {
            case .jpeg: .jpeg(JPEGFilter())
            case .png: .png(PNGFilter())
            case .gif: .gif(GIFFilter())
            case .webp: .webp(WebPFilter())
            case .heic, .mp4, .mov: .boxes(BoxFilter())
            case .pdf: .pdf(PDFFilter())
            case .avi, .matroska, .wmv: .none
            }
    }

    mutating func filter(_ bytes: ByteBuffer, into out: inout ByteBuffer) {
        switch self {
        case .jpeg(var filter):
            self = .none
            filter.filter(bytes, into: &out)
            self = .jpeg(filter)
        case .png(var filter):
            self = .none
            filter.filter(bytes, into: &out)
            self = .png(filter)
        case .gif(var filter):
            self = .none
            filter.filter(bytes, into: &out)
            self = .gif(filter)
        case .webp(var filter):
            self = .none
            filter.filter(bytes, into: &out)
            self = .webp(filter)
        case .boxes(var filter):
            self = .none
            filter.filter(bytes, into: &out)
            self = .boxes(filter)
        case .pdf(var filter):
            self = .none
            filter.filter(bytes)
            self = .pdf(filter)
        case .none:
            out.writeImmutableBuffer(bytes)
        }
    }

    /// Whether the file has metadata that cannot be removed.
    var isRefused: Bool {
        if case .boxes(let filter) = self { filter.isRefused } else { false }
    }

    /// Handles the end of the file: outputs the buffered bytes that are kept.
    mutating func finish(into out: inout ByteBuffer) {
        switch self {
        case .jpeg(var filter): filter.finish(into: &out)
        case .png(var filter): filter.finish(into: &out)
        case .gif(var filter): filter.finish(into: &out)
        case .webp(var filter): filter.finish(into: &out)
        case .boxes(var filter): filter.finish(into: &out)
        case .pdf(var filter): filter.finish(into: &out)
        case .none: break
        }
    }
}
