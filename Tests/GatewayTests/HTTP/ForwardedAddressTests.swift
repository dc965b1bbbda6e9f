import NIOCore
import Testing

@testable import Gateway

/// Proxies in 10.0.0.0/8 and fd00::/8; the connection comes from 10.0.0.1.
struct ForwardedAddressTests {
    private func address(_ source: TrustedProxies.Source, _ fields: [String]) throws -> String {
        let proxies = try #require(TrustedProxies(networks: ["10.0.0.0/8", "fd00::/8"], source: source))
        let text = "GET / HTTP/1.1\r\nHost: h\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n"
        let bytes = ByteBuffer(string: text)
        var head = RequestHead()
        try head.read(bytes.readableBytesUInt8Span, targetLimit: 100)
        let peer = try #require(IPAddress("10.0.0.1"))
        return ForwardedAddress(proxies: proxies).find(head.fields, of: bytes.readableBytesUInt8Span, from: peer)
            .description
    }

    @Test(arguments: [
        (["X-Forwarded-For: 203.0.113.7"], "203.0.113.7"),
        (["x-forwarded-for:203.0.113.7:4711"], "203.0.113.7"),
        (["X-Forwarded-For: 2001:db8::7"], "2001:db8::7"),
        (["X-Forwarded-For: [2001:db8::7]:4711"], "2001:db8::7"),
        // What the client has written stands on the left.
        (["X-Forwarded-For: 1.1.1.1, 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 203.0.113.7"], "203.0.113.7"),
        (["X-Forwarded-For: 10.9.9.9", "X-Forwarded-For: 203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        (["X-Forwarded-For: , ,,", "X-Forwarded-For: 203.0.113.7 ,  fd00::2"], "203.0.113.7"),
        // All are proxies.
        (["X-Forwarded-For: 10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        // What is no address ends the search.
        (["X-Forwarded-For: 1.1.1.1, unknown, 10.0.0.2"], "10.0.0.2"),
        (["X-Forwarded-For: 1.1.1.1, 203.0.113.7, "], "10.0.0.1"),
        (["X-Forwarded-For:"], "10.0.0.1"),
        (["X-Forwarded-For: \(String(repeating: "1", count: 5000))"], "10.0.0.1"),
        // Other fields are the client's.
        (["Forwarded: for=1.1.1.1", "X-Real-IP: 1.1.1.1", "X-Forwarded-Host: 1.1.1.1"], "10.0.0.1"),
    ])
    func forwardedFor_rightmostUntrustedAddressCounts(_ fields: [String], _ expected: String) throws {
        #expect(try address(.forwardedFor, fields) == expected)
    }

    @Test(arguments: [
        (["Forwarded: for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: For=\"[2001:db8::7]:4711\";proto=https;by=203.0.113.43"], "2001:db8::7"),
        (["Forwarded: proto=https; for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=1.1.1.1, for=203.0.113.7, for=10.0.0.2"], "203.0.113.7"),
        (["Forwarded: for=\"1.1.1.1", "Forwarded: for=203.0.113.7"], "203.0.113.7"),
        (["Forwarded: for=1.1.1.1, for=_hidden, for=10.0.0.2"], "10.0.0.2"),
        (["Forwarded: proto=https"], "10.0.0.1"),
        (["X-Forwarded-For: 1.1.1.1"], "10.0.0.1"),
    ])
    func forwarded_rightmostUntrustedAddressCounts(_ fields: [String], _ expected: String) throws {
        #expect(try address(.forwarded, fields) == expected)
    }

    @Test func proxyProtocol_readsNoField() throws {
        #expect(try address(.proxyProtocol, ["X-Forwarded-For: 1.1.1.1", "Forwarded: for=1.1.1.1"]) == "10.0.0.1")
    }
}
