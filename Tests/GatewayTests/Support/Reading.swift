import NIOCore

@testable import Gateway

/// Reads a request's head as a connection does.
func readHead(_ text: String, targetLimit: Int = 8192) throws -> (head: RequestHead, target: RequestTarget) {
    let bytes = ByteBuffer(string: text)
    var scanner = HeadScanner()
    guard let end = try scanner.end(of: bytes.readableBytesUInt8Span, sizeLimit: 32 * 1024, lineLimit: 100) else {
        throw Incomplete()
    }
    var head = RequestHead()
    var target = RequestTarget()
    let span = bytes.readableBytesUInt8Span.extracting(0..<end)
    try head.read(span, targetLimit: targetLimit)
    try target.read(span.extracting(OriginForm.range(of: head, in: span)))
    return (head, target)
}

/// A head that is not complete.
struct Incomplete: Error {}

func readTarget(_ text: String) throws(HTTPFault) -> RequestTarget {
    var target = RequestTarget()
    try target.read(ByteBuffer(string: text).readableBytesUInt8Span)
    return target
}

extension RequestTarget {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
