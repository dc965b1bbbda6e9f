import NIOCore
import Testing

@testable import Chat

@Suite struct WithSuhyeonEndpointTests {
    @Test func ticket_isTheFirstUserID() {
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=12") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?a=1&userId=12&userId=13") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=9223372036854775807") == .max)
        for path in ["/chat", "/chat?", "/chat?userId", "/chat?userId=0", "/chat?userId=-3", "/chat?xuserId=12"] {
            #expect(WithSuhyeonEndpoint.ticket(path) == nil)
        }
    }

    @Test func frameAllowance_isFiftyPerSecond() {
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var allowance = FrameAllowance(now: now)
        var taken = (0...500).map { _ in allowance.take(now: now) }
        #expect(taken == Array(repeating: true, count: 500) + [false])
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(21)
            return allowance.take(now: now)
        }
        #expect(!taken.contains(false))
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(10)
            return allowance.take(now: now)
        }
        #expect(taken.contains(false))
    }
}
