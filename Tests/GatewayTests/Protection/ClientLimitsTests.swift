import Apps
import NIOCore
import Testing

@testable import Gateway

struct ClientLimitsTests {
    private func address(_ text: String) throws -> ClientAddress {
        let address = try #require(IPAddress(text))
        return ClientAddress(address)
    }

    @Test func connections_areBoundedPerAddressAndInTotal() throws {
        let clients = ClientLimits(
            limits: ConnectionLimits(total: 5, perAddress: 2),
            allowances: [.unlimited, .unlimited]
        )
        let first = try #require(clients.enter(address("10.0.0.1")))
        #expect(try clients.enter(address("10.0.0.1")) != nil)
        #expect(try clients.enter(address("10.0.0.1")) == nil)
        #expect(clients.count == 2)
        for last in 2...4 { #expect(try clients.enter(address("10.0.0.\(last)")) != nil) }
        #expect(try clients.enter(address("10.0.0.5")) == nil)
        clients.leave(first)
        #expect(try clients.enter(address("10.0.0.5")) != nil)
    }

    @Test func buckets_persistAcrossConnectionsOfAddress() throws {
        let clients = ClientLimits(
            limits: ConnectionLimits(),
            allowances: [RateLimit(perSecond: 0.001, burst: 1), .unlimited]
        )
        let first = try #require(clients.enter(address("10.0.0.1")))
        #expect(first.take(.general, now: .now()) == nil)
        clients.leave(first)
        let second = try #require(clients.enter(address("10.0.0.1")))
        #expect(second.take(.general, now: .now()) != nil)
        #expect(second.take(.signIn, now: .now()) == nil)
    }

    @Test func knownAddresses_beyondLimit_idleAddressIsRemoved() throws {
        let limits = ConnectionLimits(total: 100, perAddress: 100, knownAddresses: 2)
        let clients = ClientLimits(limits: limits, allowances: [.unlimited, .unlimited])
        clients.leave(try #require(clients.enter(address("10.0.0.1"))))
        #expect(try clients.enter(address("10.0.0.2")) != nil)
        #expect(try clients.enter(address("10.0.0.3")) != nil)
        // Both are connected now, so no address can be removed.
        #expect(try clients.enter(address("10.0.0.4")) == nil)
        #expect(clients.count == 2)
    }

    /// All of them are looked at for it.
    @Test func removalOfIdleAddresses_isRare() throws {
        let limits = ConnectionLimits(total: 100, perAddress: 100, knownAddresses: 2)
        let clients = ClientLimits(limits: limits, allowances: [.unlimited, .unlimited])
        let now = NIODeadline.now()
        for last in 1...3 { clients.leave(try #require(clients.enter(address("10.0.0.\(last)"), now: now))) }
        let busy = try #require(clients.enter(address("10.0.0.3"), now: now))
        clients.leave(try #require(clients.enter(address("10.0.0.4"), now: now)))
        #expect(try clients.enter(address("10.0.0.5"), now: now) == nil)
        #expect(try clients.enter(address("10.0.0.5"), now: now + .seconds(1)) != nil)
        clients.leave(busy)
    }

    @Test func clientsOfProxyBeyondLimit_shareLimits() throws {
        let clients = ClientLimits(
            limits: ConnectionLimits(knownAddresses: 1),
            allowances: [RateLimit(perSecond: 0.001, burst: 1), .unlimited]
        )
        let now = NIODeadline.now()
        let areTaken = try (1...3).map {
            clients.limit(of: try address("10.0.0.\($0)"), now: now).take(.general, now: now) == nil
        }
        #expect(areTaken == [true, true, false])
    }

    @Test func ipv6Addresses_ofOnePrefix_areOneClient() throws {
        #expect(try address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9"))
        #expect(try address("2001:db8:1:2::1") != address("2001:db8:1:3::1"))
        #expect(try address("::ffff:10.0.0.1") == address("10.0.0.1"))
        #expect(try address("10.0.0.1") != address("10.0.0.2"))
    }
}
