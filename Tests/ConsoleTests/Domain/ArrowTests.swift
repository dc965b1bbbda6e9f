import Contracts
import Testing

@testable import Console

struct ArrowTests {
    private func arrow(_ target: String = "chat", calls: Int = 0, failures: Int = 0, times: [Int] = []) -> Arrow {
        Arrow(
            program: "gateway",
            target: target,
            calls: calls,
            failures: failures,
            recentCalls: calls,
            recentFailures: failures,
            times: times
        )
    }

    @Test func bound_isThatOfTheShare() {
        let times = [50, 40, 9, 1] + Array(repeating: 0, count: ConsoleAPI.Calls.Target.bounds.count - 3)
        #expect(arrow(times: times).bound(of: 0.5) == 1)
        #expect(arrow(times: times).bound(of: 0.99) == 5)
        #expect(arrow(times: times).bound(of: 1) == 10)
        #expect(arrow(times: []).bound(of: 0.5) == nil)
        let slow = Array(repeating: 0, count: ConsoleAPI.Calls.Target.bounds.count) + [3]
        #expect(arrow(times: slow).bound(of: 0.5) == nil)
    }

    @Test func complaint_isAboutTheMostFailures() throws {
        let complaint = try #require(
            Complaint([
                arrow("auth", calls: 1000, failures: 20), arrow("seats", calls: 100, failures: 3),
                arrow("chat", calls: 100, failures: 9),
            ])
        )
        #expect(complaint.target == "chat" && complaint.failures == 9 && complaint.calls == 100)
        #expect(Complaint([arrow(calls: 1000, failures: 20)]) == nil)
        #expect(Complaint([]) == nil)
    }
}
