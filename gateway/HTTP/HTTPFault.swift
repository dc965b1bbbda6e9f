/// The reasons why a message is not valid HTTP/1.1.
///
/// Every ambiguity is a fault and closes the connection, because the start of the next message is then unknown (RFC
/// 9112 §2.2, §11).
enum HTTPFault: Error, Equatable, Sendable {
    case requestLine, method, target, hostMismatch, host
    case statusLine
    /// A version other than HTTP/1.1.
    case version
    /// A line that does not end in CRLF, or a CR elsewhere.
    case lineEnd
    case fieldName, fieldValue, foldedField
    /// More than one field of a name that must be unique.
    case repeatedField
    case contentLength, transferEncoding, conflictingLengths
    case chunk, trailer
    /// An expectation other than `100-continue`.
    case expectation
    case headTooLarge, tooManyFields, targetTooLong
    case bodyTooLarge

    /// A description for the sender of the message.
    var message: String {
        switch self {
        case .requestLine: "The request line is not `METHOD target HTTP/1.1`."
        case .method: "The method is not a token."
        case .target: "The address holds something that may be read in two ways, or does not belong there."
        case .hostMismatch: "The address and the Host field name different hosts."
        case .host: "Exactly one Host field with a host name is needed."
        case .statusLine: "The status line is malformed."
        case .version: "Only HTTP/1.1 is spoken here."
        case .lineEnd: "Every line of the head ends in CR LF, and holds neither elsewhere."
        case .fieldName: "A header name is malformed."
        case .fieldValue: "A header value holds a control character."
        case .foldedField: "A header value must not be folded over lines."
        case .repeatedField: "A header that must be alone is there more than once."
        case .contentLength: "Content-Length is not a number of bytes."
        case .transferEncoding: "The only Transfer-Encoding taken is `chunked`."
        case .conflictingLengths: "Content-Length and Transfer-Encoding exclude each other."
        case .chunk: "A chunk of the body is malformed."
        case .trailer: "A trailer of the body is malformed."
        case .expectation: "The only expectation met is `100-continue`."
        case .headTooLarge: "The header is too large."
        case .tooManyFields: "The header has too many fields."
        case .targetTooLong: "The address is too long."
        case .bodyTooLarge: "The body is larger than this address takes."
        }
    }
}
