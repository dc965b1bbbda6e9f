import Testing

@testable import Gateway

struct AcceptEncodingTests {
    private func allowsGzip(_ values: String...) throws -> Bool {
        let lines = values.map { "Accept-Encoding: \($0)\r\n" }.joined()
        let text = "GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"
        return AcceptEncoding(try readHead(text).head.fields, of: Array(text.utf8).span).allowsGzip
    }

    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "gzip, deflate, br", "deflate,gzip", " br ,\tgzip ", "gzip;q=1", "gzip;q=0.001",
        "gzip ; Q=0.5", "gzip;q=1.000", "gzip;q=0.", "*", "*;q=0.1", "identity;q=0, *", "gzip, identity",
        "gzip;q=0.5, identity;q=0.5", "identity;q=0, gzip;q=0.1", "br;q=0, gzip", ",,gzip,", "compress, gzip;q=1.0",
    ])
    func gzip_isAllowed(_ value: String) throws {
        // `0.` is 0 (RFC 9110 §12.4.2).
        #expect(try allowsGzip(value) == (value != "gzip;q=0."))
    }

    @Test(arguments: [
        "", " ", "identity", "br, deflate", "gzip;q=0", "gzip;q=0.000", "x-gzip;q=0", "*;q=0", "gzip;q=0, *",
        "gzip;q=0.5, identity", "*;q=0.5, identity;q=0.6", "identity;q=0", "gzip, gzip;q=0", "gzipp", "zip",
    ])
    func gzip_isNotAllowed(_ value: String) throws {
        #expect(try !allowsGzip(value))
    }

    @Test(arguments: [
        "gzip;q=2", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=.5", "gzip;q=a", "gzip;q=0,5", "gzip;q=",
        "gzip;q", "gzip;", "gzip;x=1", "gzip;q=1;x=1", "gzip;q = 1", "gzip;q=1a", ";q=1, gzip", "gzip br",
        "\"gzip\", gzip",
        "gzip;q=1 1", "gzip, é", "gzip, br;q=9", "gzip;q=0x1", "gzip;q=1.f",
    ])
    func malformedField_allowsNothing(_ value: String) throws {
        #expect(try !allowsGzip(value))
    }

    @Test func severalFields_areOneList() throws {
        #expect(try allowsGzip("br", "gzip"))
        #expect(try !allowsGzip("gzip", "gzip;q=0"))
        #expect(try !allowsGzip("gzip", "br;q=7"))
        #expect(try !allowsGzip())
    }
}
