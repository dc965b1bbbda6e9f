import NIOCore
import NIOEmbedded
import Testing

@testable import Sockets

/// Deadlines by a clock that the test sets.
@Suite struct DeadlineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func deadlines(stay: TimeAmount? = nil) -> SocketIODeadlines {
        var deadlines = SocketIODeadlines(SocketIOLimits(), stay: stay, now: start)
        deadlines.has(namespaces: true, now: start)
        return deadlines
    }

    private func look(_ deadlines: inout SocketIODeadlines, _ now: NIODeadline) -> SocketIODeadlines.Due? {
        deadlines.due(now)
    }

    @Test func pings_areSentEveryInterval_untilUnanswered() {
        var deadlines = deadlines()
        #expect(look(&deadlines, start + .milliseconds(24_999)) == nil)
        #expect(look(&deadlines, start + .seconds(25)) == .ping)
        #expect(look(&deadlines, start + .seconds(44)) == nil)
        deadlines.answered()
        #expect(look(&deadlines, start + .milliseconds(49_999)) == nil)
        #expect(look(&deadlines, start + .seconds(50)) == .ping)
        #expect(look(&deadlines, start + .milliseconds(69_999)) == nil)
        #expect(look(&deadlines, start + .seconds(70)) == .end("a ping was not answered"))
    }

    @Test func namespaceDeadline_restartsAfterLastWasLeft() {
        var deadlines = SocketIODeadlines(SocketIOLimits(), stay: nil, now: start)
        #expect(look(&deadlines, start + .milliseconds(19_999)) == nil)
        deadlines.has(namespaces: true, now: start + .seconds(19))
        #expect(look(&deadlines, start + .seconds(21)) == nil)
        deadlines.has(namespaces: false, now: start + .seconds(22))
        // A refusal does not extend the deadline.
        deadlines.has(namespaces: false, now: start + .seconds(23))
        #expect(look(&deadlines, start + .milliseconds(41_999)) == .ping)
        #expect(look(&deadlines, start + .seconds(42)) == .end("connected to no namespace"))
    }

    @Test func stay_endsAtItsLimit() {
        var deadlines = deadlines(stay: .seconds(10))
        #expect(look(&deadlines, start + .milliseconds(9_999)) == nil)
        #expect(look(&deadlines, start + .seconds(10)) == .end("the access token has expired"))
    }

    private final class Ticked: SocketIOConnection {
        var clockIndex = 0
        var ticks = 0
        var leaves: (() -> Void)?

        func emit(_ event: SocketIOEvent, to socket: SocketIOSocket) {}
        func disconnect(_ socket: SocketIOSocket) {}
        func close(_ code: CloseCode, _ reason: String) {}

        func tick(_ now: NIODeadline) {
            ticks += 1
            leaves?()
        }
    }

    @Test func clock_ticksAllConnections() {
        let loop = EmbeddedEventLoop()
        let clock = SocketIOClock(loop, tick: .seconds(1))
        let all = (0..<4).map { _ in Ticked() }
        for one in all { clock.add(one) }
        loop.advanceTime(by: .seconds(1))
        #expect(all.map(\.ticks) == [1, 1, 1, 1])
        // One connection leaves during a tick, one leaves between two ticks.
        all[1].leaves = { clock.remove(all[1]) }
        loop.advanceTime(by: .seconds(1))
        clock.remove(all[0])
        loop.advanceTime(by: .seconds(2))
        #expect(all.map(\.ticks) == [2, 2, 4, 4])
        clock.remove(all[3])
        clock.remove(all[2])
        loop.advanceTime(by: .seconds(3))
        #expect(all.map(\.ticks) == [2, 2, 4, 4])
        clock.add(all[0])
        loop.advanceTime(by: .seconds(1))
        #expect(all[0].ticks == 3)
    }
}
