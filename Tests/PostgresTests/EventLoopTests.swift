import Glibc
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    private let loop = PostgresEventLoop.shared

    @Test func calls_ofOneThread_keepOrder() async {
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        for number in 0..<10_000 { loop.execute { _ = continuation.yield(number) } }
        loop.execute { continuation.finish() }
        var expected = 0
        for await number in numbers {
            #expect(number == expected)
            expected += 1
        }
        #expect(expected == 10_000)
    }

    @Test @PostgresLoop func isolatedCode_runsOnLoop() async throws {
        #expect(loop.isIsolatingCurrentContext() == true)
        let elsewhere = await Task.detached { PostgresEventLoop.shared.isIsolatingCurrentContext() }.value
        #expect(elsewhere == false)
        try await Task.sleep(for: .milliseconds(1))
        #expect(loop.isIsolatingCurrentContext() == true, "the code resumes on the loop")
    }

    @Test @PostgresLoop func timers_fireInOrder_unlessCancelled() async throws {
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        loop.schedule(after: .milliseconds(30)) { continuation.finish() }
        loop.schedule(after: .milliseconds(20)) { continuation.yield(2) }
        let cancelled = loop.schedule(after: .milliseconds(15)) { continuation.yield(9) }
        loop.schedule(after: .milliseconds(10)) { [loop] in
            continuation.yield(1)
            loop.cancel(cancelled)
        }
        loop.schedule(after: .zero) { continuation.yield(0) }
        var seen: [Int] = []
        for await number in numbers { seen.append(number) }
        #expect(seen == [0, 1, 2])
    }

    @Test @PostgresLoop func socket_isWatchedUntilUnwatched() async throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (one, other) = (ends[0], ends[1])
        defer {
            close(one)
            close(other)
        }
        // Readiness is reported as long as it lasts, so that only the newest report counts.
        let (events, continuation) = AsyncStream<Readiness>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let reports = Reports()
        var iterator = events.makeAsyncIterator()
        let watch = loop.watch(one, for: .readable) {
            reports.count += 1
            continuation.yield($0)
        }
        #expect(write(other, "x", 1) == 1)
        #expect(await iterator.next() == .readable)
        var byte: UInt8 = 0
        #expect(read(one, &byte, 1) == 1)
        loop.change(watch, to: [.readable, .writable])
        while await iterator.next() != .writable {}
        loop.unwatch(watch)
        loop.unwatch(watch)
        let before = reports.count
        #expect(write(other, "x", 1) == 1)
        loop.schedule(after: .milliseconds(20)) { continuation.finish() }
        while await iterator.next() != nil {}
        #expect(reports.count == before, "no event arrives after unwatch")
    }

    /// How often a watched socket was reported.
    @PostgresLoop
    private final class Reports {
        var count = 0
    }
}
