import NIOCore
import Testing

@testable import Gateway

struct TrustedProxiesTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("192.0.2.7/32", "192.0.2.6", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ("::1", "::1", true), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe80::1", false),
        ("2001:db8::/33", "2001:db8:8000::", false), ("10.0.0.0/8", "::ffff:10.0.0.1", true),
    ])
    func network_containsItsAddresses(_ network: String, _ address: String, _ isContained: Bool) throws {
        let proxies = try #require(TrustedProxies(networks: [network]))
        #expect(proxies.contains(try #require(IPAddress(address))) == isContained)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0", "10.0.0.0/", "10.0.0.0/-1", "::/129", "proxy", "", "10.0.0.0/8/8", "/8"])
    func otherText_isRefused(_ network: String) {
        #expect(TrustedProxies(networks: ["::1", network]) == nil)
    }

    @Test func addresses_areSpelledAsUsual() throws {
        for text in ["192.0.2.7", "2001:db8::1", "::1"] { #expect(IPAddress(text)?.description == text) }
        #expect(IPAddress("::ffff:192.0.2.7")?.description == "192.0.2.7")
        for port in ["192.0.2.7", "2001:db8::1"] {
            #expect(IPAddress(try SocketAddress(ipAddress: port, port: 1))?.description == port)
        }
        #expect(IPAddress(try SocketAddress(unixDomainSocketPath: "/tmp/s")) == nil)
    }
}
