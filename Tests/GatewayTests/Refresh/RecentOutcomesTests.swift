import Contracts
import Testing

@testable import Gateway

struct RecentOutcomesTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// The time of the refresh, of the request after it, and whether the request is answered with the same outcome.
    @Test(arguments: [
        (0, 0, true), (0, 499, true), (0, 500, false), (0, 1_200, false),
        (300, 799, true), (300, 800, false), (300, 5_000, false),
        (499, 998, true), (499, 999, false), (700, 1_199, true), (2_900, 3_399, true), (2_900, 3_400, false),
    ])
    func outcome_isReusedWithinWindow(refreshed: Int, asked: Int, isReused: Bool) {
        var outcomes = RecentOutcomes(window: .milliseconds(500), now: start)
        let request = RefreshCoordinatorTests.request()
        outcomes.add(.tokens(RefreshCoordinatorTests.tokens), of: request, now: at(refreshed))
        #expect((outcomes.outcome(of: request, now: at(asked)) != nil) == isReused)
    }

    @Test func outcomeOfAnotherRequest_andUnavailable_areNotReused() {
        var outcomes = RecentOutcomes(window: .milliseconds(500), now: start)
        outcomes.add(.refused(.expired), of: RefreshCoordinatorTests.request(), now: start)
        outcomes.add(.unavailable, of: RefreshCoordinatorTests.request("away"), now: start)
        for other in [RefreshCoordinatorTests.request(address: "b"), RefreshCoordinatorTests.request("away")] {
            #expect(outcomes.outcome(of: other, now: start) == nil)
        }
        #expect(outcomes.outcome(of: RefreshCoordinatorTests.request(), now: start)?.refusal == .expired)
    }
}
