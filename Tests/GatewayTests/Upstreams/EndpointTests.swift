import Contracts
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Gateway

struct EndpointTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func endpoint(_ port: Int = 1) throws -> Endpoint {
        Endpoint(.seats, at: try SocketAddress(ipAddress: "127.0.0.1", port: port))
    }

    @Test func ejection_afterConsecutiveFailures_doublesEachTime() throws {
        let endpoint = try endpoint()
        var now = start
        for seconds in [1, 2, 4, 8, 16, 32, 32] as [Int64] {
            #expect(endpoint.failed(now: now) == nil)
            #expect(endpoint.failed(now: now) == nil)
            #expect(endpoint.failed(now: now) == .seconds(seconds))
            #expect(endpoint.state(now: now) == .ejected)
            now = now + .seconds(seconds)
            #expect(endpoint.state(now: now) == .available)
        }
        endpoint.succeeded()
        for _ in 0..<2 { #expect(endpoint.failed(now: now) == nil) }
        endpoint.succeeded()
        #expect(endpoint.failed(now: now) == nil)
    }

    /// - Returns: The seconds from `first` on after which a check that fails every second has changed the state.
    private func secondsOut(_ endpoint: Endpoint, _ result: Endpoint.Readiness, from first: Int64 = 0) -> Int64? {
        (0..<10).first { endpoint.checked(result, now: start + .seconds(first + $0)) }
    }

    @Test(arguments: [Endpoint.Readiness.unready, .silent])
    func failedChecks_takeOutUntilReady(_ result: Endpoint.Readiness) throws {
        let endpoint = try endpoint()
        #expect(!endpoint.checked(.ready, now: start))
        for seconds in 1..<5 as Range<Int64> { #expect(!endpoint.checked(result, now: start + .seconds(seconds))) }
        #expect(endpoint.state(now: start) == (result == .silent ? .available : .doubtful))
        #expect(!endpoint.checked(.ready, now: start + .seconds(5)))
        #expect(secondsOut(endpoint, result, from: 6) == 4)
        #expect(endpoint.state(now: start) == (result == .silent ? .silent : .down))
        #expect(!endpoint.checked(result, now: start + .seconds(11)))
        for _ in 0..<3 { _ = endpoint.failed(now: start) }
        #expect(endpoint.checked(.ready, now: start + .seconds(12)))
        #expect(endpoint.state(now: start) == .available)
    }

    /// An address at which nothing has listened yet, as that of the next copy, is silent from its first check on.
    @Test func startingAddress_isSilentThenDownThenAvailable() throws {
        let endpoint = try endpoint()
        for number in 1...4 { #expect(endpoint.checked(.silent) == (number == 1)) }
        #expect(endpoint.state(now: start) == .silent && !endpoint.hasServed)
        #expect(endpoint.checked(.unready))
        #expect(endpoint.state(now: start) == .down)
        #expect(!endpoint.isServing)
        #expect(endpoint.checked(.ready))
        #expect(endpoint.isServing)
    }

    @Test func silentChecks_withSuccessfulRequests_changeNothing() throws {
        let endpoint = try endpoint()
        #expect(!endpoint.checked(.ready, now: start) && endpoint.hasServed)
        for seconds in 1..<10 as Range<Int64> {
            endpoint.succeeded()
            #expect(!endpoint.checked(.silent, now: start + .seconds(seconds)))
        }
        #expect(secondsOut(endpoint, .silent, from: 10) == 4)
        // A response that reports unreadiness counts in any case.
        let other = try self.endpoint()
        for seconds in 0..<5 as Range<Int64> {
            other.succeeded()
            #expect(other.checked(.unready, now: start + .seconds(seconds)) == (seconds == 4))
        }
    }

    /// Requests to it would be given up otherwise, though they are answered.
    @Test func answerAfterUnreachability_endsIt() throws {
        let endpoint = try endpoint()
        #expect(!endpoint.checked(.ready))
        #expect(endpoint.checked(.unreachable))
        endpoint.succeeded()
        _ = endpoint.checked(.silent)
        #expect(!endpoint.isUnreachable && endpoint.failing == nil)
    }

    @Test func unreachableHost_isSilentAtOnce() throws {
        let endpoint = try endpoint()
        #expect(!endpoint.checked(.ready))
        endpoint.succeeded()
        #expect(endpoint.checked(.unreachable) && endpoint.isUnreachable)
        #expect(endpoint.state(now: start) == .silent)
        #expect(endpoint.checked(.ready) && !endpoint.isUnreachable)
        #expect(endpoint.state(now: start) == .available)
    }

    // MARK: WebSockets

    /// Checks all addresses at a time, with these results.
    private func check(_ endpoints: [Endpoint], at seconds: Int64, _ results: Endpoint.Readiness...) {
        for (endpoint, result) in zip(endpoints, results) {
            #expect(endpoint.beginCheck(now: start + .seconds(seconds)))
            _ = endpoint.checked(result, now: start + .seconds(seconds) + .milliseconds(400))
        }
    }

    private func abandoned(_ upstream: Upstream, at seconds: Int64) -> [UInt16] {
        upstream.abandoned(now: start + .seconds(seconds)).compactMap { $0.endpoint.address.port.map(UInt16.init) }
    }

    @Test func copyThatIsNotReady_losesItsSockets() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2)]
        upstream.update(endpoints)
        check(endpoints, at: 0, .ready, .ready)
        check(endpoints, at: 1, .unready, .ready)
        #expect(abandoned(upstream, at: 2).isEmpty, "one check is a chance")
        check(endpoints, at: 2, .unready, .ready)
        #expect(abandoned(upstream, at: 3) == [1])
        check(endpoints, at: 3, .ready, .ready)
        #expect(abandoned(upstream, at: 4).isEmpty)
        check(endpoints, at: 4, .ready, .unreachable)
        #expect(abandoned(upstream, at: 5) == [2])
    }

    /// Copies fail together when what they share does, and recover one after the other.
    @Test func outageOfAllCopies_movesNoSockets() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2)]
        upstream.update(endpoints)
        check(endpoints, at: 0, .ready, .ready)
        // The second one's check takes longer.
        for seconds in [1, 2] as [Int64] {
            #expect(endpoints[0].beginCheck(now: start + .seconds(seconds)))
            _ = endpoints[0].checked(.unready, now: start + .seconds(seconds))
        }
        #expect(abandoned(upstream, at: 2).isEmpty)
        check(endpoints, at: 3, .unready, .unready)
        #expect(abandoned(upstream, at: 4).isEmpty)
        for seconds in 5..<14 as Range<Int64> {
            check(endpoints, at: seconds, .unready, .ready)
            #expect(abandoned(upstream, at: seconds).isEmpty)
        }
        check(endpoints, at: 15, .unready, .ready)
        #expect(abandoned(upstream, at: 16) == [1], "it does not recover")
    }

    private func begin(_ count: Int, at endpoint: Endpoint) {
        endpoint.load.withLock { load in for _ in 0..<count { load.began(now: start) } }
    }

    @Test func pick_prefersLeastOutstandingRequests() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2), endpoint(3)]
        upstream.update(endpoints)
        for (endpoint, count) in zip(endpoints, [2, 1, 3]) { begin(count, at: endpoint) }
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[1])
        #expect(upstream.pick(except: [endpoints[1]], now: start)?.endpoint === endpoints[0])
        for _ in 0..<3 { _ = endpoints[1].failed(now: start) }
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[0])
        for endpoint in [endpoints[0], endpoints[2]] { #expect(secondsOut(endpoint, .unready) == 4) }
        // An ejected address is better than none; one that is down is not.
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[1])
        #expect(upstream.pick(except: [endpoints[1]], now: start) == nil)
        #expect(upstream.pick(except: [endpoints[1]], orUnready: true, now: start)?.endpoint === endpoints[0])
        #expect(upstream.pick(except: [], orUnready: true, now: start)?.endpoint === endpoints[1])
    }

    /// An address that is about to end responds once that it is not ready.
    @Test func pick_prefersAddressThatWasReady() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2)]
        upstream.update(endpoints)
        begin(100, at: endpoints[1])
        _ = endpoints[0].checked(.unready)
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[1])
        #expect(upstream.pick(except: [endpoints[1]], now: start)?.endpoint === endpoints[0])
        _ = endpoints[0].checked(.ready)
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[0])
    }

    @Test func pick_prefersFasterAddress_andLeastSocketsForSockets() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2)]
        upstream.update(endpoints)
        for (endpoint, time) in zip(endpoints, [20, 2]) {
            endpoint.load.withLock { $0.answered(after: .milliseconds(Int64(time)), now: start) }
        }
        endpoints[1].tunnels.store(9, ordering: .relaxed)
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[1])
        #expect(upstream.pick(except: [], isSocket: true, now: start)?.endpoint === endpoints[0])
    }

    @Test func pick_usesSilentAddressIfNoOtherIsLeft() throws {
        let upstream = Upstream(eventLoop: EmbeddedEventLoop(), limits: Limits())
        let endpoints = try [endpoint(1), endpoint(2)]
        for _ in 0..<3 { _ = endpoints[0].checked(.silent) }
        upstream.update([endpoints[0]])
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[0])
        upstream.update(endpoints)
        for _ in 0..<3 { _ = endpoints[1].failed(now: start) }
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[1])
        #expect(secondsOut(endpoints[1], .unready) == 4)
        #expect(upstream.pick(except: [], now: start)?.endpoint === endpoints[0])
    }
}
