/// Why a `multipart/form-data` body cannot be read. The description is a sentence for whoever sent it.
package enum MultipartError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The request's `Content-Type` is not `multipart/form-data`, or there is none.
    case notMultipart
    /// `Content-Type` has no `boundary`, an impossible one, or two different ones.
    case boundary
    case empty
    /// The body never shows its boundary.
    case boundaryNotFound
    /// Something other than a line's end or `--` follows a boundary.
    case delimiter
    /// The body ends before its closing boundary.
    case truncated
    case headersTooLarge(limit: Int)
    case header
    /// A part says the same header twice.
    case duplicateHeader(String)
    /// A part is not `form-data`, or has no name.
    case nameMissing
    /// A part's name or filename is neither UTF-8 nor what RFC 8187 allows.
    case nameUnreadable
    /// A part is encoded as `base64` or the like, which RFC 7578 §4.7 has done away with.
    case transferEncoding
    case tooManyParts(limit: Int)
    case partTooLarge(name: String, limit: Int)
    case textUnreadable(name: String)
    /// A part that may come once came again.
    case duplicatePart(name: String)

    package var description: String {
        switch self {
        case .notMultipart: "Content-Type must be multipart/form-data."
        case .boundary: "Content-Type must name one boundary of 1 to 70 characters."
        case .empty: "The multipart body is empty."
        case .boundaryNotFound: "The multipart body does not have the boundary that Content-Type names."
        case .delimiter: "A boundary in the multipart body is followed by something else than a line's end."
        case .truncated: "The multipart body ends before its closing boundary."
        case .headersTooLarge(let limit): "The headers of a part are larger than \(limit) bytes."
        case .header: "A part has a malformed header."
        case .duplicateHeader(let name): "A part has the header \(name) twice."
        case .nameMissing: "A part must have a Content-Disposition of form-data with a name."
        case .nameUnreadable: "The name or the filename of a part is not readable as UTF-8."
        case .transferEncoding: "Parts must be sent as they are, without Content-Transfer-Encoding."
        case .tooManyParts(let limit): "The multipart body has more than \(limit) parts."
        case .partTooLarge(let name, let limit): "\(name) is larger than \(limit) bytes."
        case .textUnreadable(let name): "\(name) is not readable as UTF-8."
        case .duplicatePart(let name): "\(name) was sent twice."
        }
    }
}
