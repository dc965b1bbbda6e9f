/// Why a `multipart/form-data` body is invalid. The description is a message for the client.
package enum MultipartError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The request's `Content-Type` is not `multipart/form-data`, or is missing.
    case notMultipart
    /// `Content-Type` has no `boundary`, an invalid one, or two different ones.
    case boundary
    case empty
    /// The body does not contain its boundary.
    case boundaryNotFound
    /// A boundary is followed by something other than a line end or `--`.
    case delimiter
    /// The body ends before its closing boundary.
    case truncated
    case headersTooLarge(limit: Int)
    case header
    /// A part repeats a header.
    case duplicateHeader(String)
    /// A part is not `form-data`, or has no name.
    case nameMissing
    /// A part's name or filename is neither UTF-8 nor valid by RFC 8187.
    case nameUnreadable
    /// A part has a transfer encoding such as `base64`, which RFC 7578 §4.7 deprecates.
    case transferEncoding
    case tooManyParts(limit: Int)
    case partTooLarge(name: String, limit: Int)
    case textUnreadable(name: String)
    /// A part that may occur once is repeated.
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
