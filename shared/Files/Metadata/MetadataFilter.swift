import NIOCore

/// Takes what a camera or an editor has written beside the picture out of a file as it passes: place, time, device, author,
/// comments. No pixel is decoded. What does not look like its type passes as a reader of that type would skip it.
enum MetadataFilter {
    case jpeg(JPEGFilter)
    case png(PNGFilter)
    case gif(GIFFilter)
    case webp(WebPFilter)
    /// Types that are taken as they are.
    case none

    init(_ type: FileType) {
        self =
            switch type {
            case .jpeg: .jpeg(JPEGFilter())
            case .png: .png(PNGFilter())
            case .gif: .gif(GIFFilter())
            case .webp: .webp(WebPFilter())
            case .heic, .pdf, .mp4, .mov, .avi, .matroska, .wmv: .none
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
        case .none:
            out.writeImmutableBuffer(bytes)
        }
    }

    /// The file has come to its end; what was held back passes.
    mutating func finish(into out: inout ByteBuffer) {
        switch self {
        case .jpeg(var filter): filter.finish(into: &out)
        case .png(var filter): filter.finish(into: &out)
        case .gif(var filter): filter.finish(into: &out)
        case .webp(var filter): filter.finish(into: &out)
        case .none: break
        }
    }
}
