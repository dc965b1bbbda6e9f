import NIOCore
import NIOPosix
import Testing

@testable import Gateway

struct UpstreamAddressTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:8081", "127.0.0.1", 8081), ("http://seats", "seats", 80), ("http://[::1]:9", "::1", 9),
            ("http://[::1]", "::1", 80),
        ]
    )
    func baseURL_isParsed(_ url: String, _ host: String, _ port: Int) throws {
        let address = try #require(UpstreamAddress(url: url))
        #expect(address.host == host && address.port == port)
    }

    @Test(
        arguments: [
            "https://seats", "seats:80", "http://", "http://:80", "http://a:0", "http://a:65536", "http://a:b",
            "http://a/b",
            "http://u@a", "http://[::1", "http://[::1]x:1", "http://a b",
        ]
    )
    func invalidURL_isRefused(_ url: String) {
        #expect(UpstreamAddress(url: url) == nil)
    }

    @Test func resolve_returnsAddressesOfName() async throws {
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        let local = try #require(UpstreamAddress(url: "http://localhost:81"))
        let addresses = try await local.resolve(on: threads)
        #expect(addresses.contains { $0.ipAddress == "127.0.0.1" && $0.port == 81 })
        let unknown = try #require(UpstreamAddress(url: "http://name.invalid"))
        await #expect(throws: UnknownHost.self) { try await unknown.resolve(on: threads) }
        try await threads.shutdownGracefully()
    }
}
