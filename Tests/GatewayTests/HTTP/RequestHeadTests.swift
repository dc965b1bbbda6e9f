import NIOCore
import TestKit
import Testing

@testable import Gateway

struct RequestHeadTests {
    @Test func plainRequest_isParsed() throws {
        let (head, target) = try readHead("POST /a/b?c=d HTTP/1.1\r\nHost: h:80\r\nContent-Length: 12\r\n\r\n")
        #expect(head.method == .post)
        #expect(head.body == .bytes(12))
        #expect(target.text == "/a/b?c=d")
        #expect(!head.fields.connection.close)
    }

    @Test func connectionOptions_areParsed() throws {
        let (head, _) = try readHead(
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive , Close\r\nConnection: x-a\r\nX-A: 1\r\n\r\n"
        )
        #expect(head.fields.connection.close)
        #expect(head.fields.lines.filter(\.isNominated).count == 1)
    }

    @Test func methods_areCaseSensitive() throws {
        #expect(try readHead("get / HTTP/1.1\r\nHost: h\r\n\r\n").head.method == .other)
        #expect(try readHead("GETT / HTTP/1.1\r\nHost: h\r\n\r\n").head.method == .other)
        #expect(try readHead("PATCH / HTTP/1.1\r\nHost: h\r\n\r\n").head.method == .patch)
    }

    @Test(arguments: [
        "h", "h:", "h:0", "h:65535", "a-b.c_d:8080", "127.0.0.1:80", "[::1]", "[::1]:8080", "[::ffff:1.2.3.4]:",
    ])
    func validHost_isAccepted(host: String) throws {
        #expect(try readHead("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").head.method == .get)
    }

    @Test func absoluteTarget_ofSameHost_isAccepted() throws {
        #expect(try readHead("GET http://H.example/a HTTP/1.1\r\nHost: h.example\r\n\r\n").target.text == "/a")
    }

    static let bad: [(String, HTTPFault)] = [
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", .requestLine),
        ("GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", .requestLine),
        ("GET /\r\nHost: h\r\n\r\n", .requestLine),
        (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", .requestLine),
        ("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .requestLine),
        ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", .method),
        ("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", .method),
        ("GET / http/1.1\r\nHost: h\r\n\r\n", .requestLine),
        ("GET / HTTP/1.0\r\nHost: h\r\n\r\n", .version),
        ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", .version),
        ("GET / HTTP/1.10\r\nHost: h\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1\nHost: h\r\n\r\n", .lineEnd),
        ("GET / HTTP/1.1\r\nHost: h\n\r\n", .lineEnd),
        ("GET / HTTP/1.1\r\nHost: h\r\n\n", .lineEnd),
        ("GET / HTTP/1.1\r\nHost: h\rX: y\r\n\r\n", .lineEnd),
        ("GET / HTTP/1.1\rX\r\nHost: h\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h:http\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h:80:80\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h:65536\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h:-1\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: :80\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: []\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: [::1]80\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: [h]\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: ::1\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h]\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", .repeatedField),
        ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", .fieldName),
        ("GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n", .fieldName),
        ("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", .fieldName),
        ("GET / HTTP/1.1\r\nHost: h\r\nX\u{0}: y\r\n\r\n", .fieldName),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: y\r\n z\r\n\r\n", .foldedField),
        ("GET / HTTP/1.1\r\nHost: h\r\n\tX: y\r\n\r\n", .foldedField),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n", .fieldValue),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{7f}b\r\n\r\n", .fieldValue),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{b}b\r\n\r\n", .fieldValue),
        ("GET / HTTP/1.1\r\nHost: h\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n", .repeatedField),
        ("GET / HTTP/1.1\r\nHost: h\r\nSeSACKey: a\r\nsesackey: a\r\n\r\n", .repeatedField),
        ("GET / HTTP/1.1\r\nHost: h\r\nExpect: more\r\n\r\n", .expectation),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: a b\r\n\r\n", .fieldValue),
        ("GET http://other/ HTTP/1.1\r\nHost: h\r\n\r\n", .hostMismatch),
        ("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", .target),
        ("GET http://h?x HTTP/1.1\r\nHost: h\r\n\r\n", .target),
        ("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", .target),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", .target),
        ("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", .target),
    ]

    @Test(arguments: bad)
    func malformedHead_isRefused(_ text: String, _ fault: HTTPFault) {
        #expect(throws: fault) { try readHead(text) }
    }

    static let badLengths: [(String, HTTPFault)] = [
        ("Content-Length: +1", .contentLength), ("Content-Length: -1", .contentLength),
        ("Content-Length: 0x1", .contentLength), ("Content-Length: 1 1", .contentLength),
        ("Content-Length: 1,1", .contentLength), ("Content-Length: 1, 1", .contentLength),
        ("Content-Length:", .contentLength), ("Content-Length: 1.0", .contentLength),
        ("Content-Length: 9999999999999999999", .contentLength), ("Content-Length: ٣", .contentLength),
        ("Content-Length: 1\r\nContent-Length: 1", .repeatedField),
        ("Content-Length: 1\r\nContent-Length: 2", .repeatedField),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked", .conflictingLengths),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0", .conflictingLengths),
        ("Transfer-Encoding: identity", .transferEncoding), ("Transfer-Encoding: gzip, chunked", .transferEncoding),
        ("Transfer-Encoding: chunked, chunked", .transferEncoding), ("Transfer-Encoding: xchunked", .transferEncoding),
        ("Transfer-Encoding: chunked;q=1", .transferEncoding), ("Transfer-Encoding: \"chunked\"", .transferEncoding),
        ("Transfer-Encoding:", .transferEncoding), ("Transfer-Encoding: chunked\u{b}", .fieldValue),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .repeatedField),
        ("Transfer-Encoding : chunked", .fieldName), ("Transfer-Encoding: chunked\r\n , identity", .foldedField),
    ]

    @Test(arguments: badLengths)
    func ambiguousBodyLength_isRefused(_ lines: String, _ fault: HTTPFault) {
        #expect(throws: fault) { try readHead("POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n") }
    }

    @Test func bodyLength_inEitherForm_isParsed() throws {
        #expect(
            try readHead("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\tChunked \r\n\r\n").head.body == .chunked
        )
        #expect(try readHead("POST / HTTP/1.1\r\nHost: h\r\nContent-Length:  007 \r\n\r\n").head.body == .bytes(7))
        #expect(try readHead("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n").head.body == .none)
    }

    @Test func longTarget_isRefused() {
        let long = String(repeating: "a", count: 100)
        #expect(throws: HTTPFault.targetTooLong) {
            try readHead("GET /\(long) HTTP/1.1\r\nHost: h\r\n\r\n", targetLimit: 100)
        }
    }
}

struct FieldValueTests {
    @Test func endOfFieldValue_isFirstControlCharacter() {
        for byte in UInt8.min...UInt8.max {
            let isAllowed = byte == 0x09 || (byte >= 0x20 && byte != 0x7f)
            for place in 0..<20 {
                var text = [UInt8](repeating: place.isMultiple(of: 2) ? 0x80 : 0x20, count: 20)
                text[place] = byte
                let end = ByteBuffer(bytes: text).readableBytesUInt8Span.endOfFieldValue(from: 0)
                #expect(end == (isAllowed ? 20 : place))
            }
        }
    }
}
