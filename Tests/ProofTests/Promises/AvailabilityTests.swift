import Proof
import Testing

struct AvailabilityTests {
    private func answers(_ kind: String, failing: Range<Int> = 0..<0) -> [RouteAnswer] {
        // Every tenth of a second, for 100 seconds.
        (0..<1000).map { number in
            let begun = Moment.seconds(Double(number) / 10)
            return RouteAnswer(
                kind,
                begun: begun,
                ended: begun.after(50_000),
                failure: failing.contains(number) ? "status 503" : nil
            )
        }
    }

    private let fault = FaultSpan("kill seats", begun: .seconds(20), ended: .seconds(25), kinds: ["seats: read"])

    @Test func failuresDuringAFault_doNotCount() {
        let figures = Availability(
            of: answers("seats: read", failing: 200..<262) + answers("chat: send"),
            during: [fault]
        )
        #expect(figures.shares.map(\.kind) == ["chat: send", "seats: read"])
        #expect(figures.shares.map(\.share) == [1, 1])
        #expect(figures.shares[1].duringFaults == 71, "from 20 s until 2 s after its end")
        #expect(figures.share == 1)
        #expect(figures.recoveries.map(\.time) == [1_100_000])
        #expect(figures.prompt == (1, 1))
        #expect(figures.slowestRecoveries.first?.fault == fault)
        #expect(figures.slowestRecoveries.first?.last?.failure == "status 503")
    }

    @Test func failuresOfOtherRoutes_count() {
        let figures = Availability(of: answers("chat: send", failing: 200..<262), during: [fault])
        #expect(figures.share == 0.938)
        #expect(figures.recoveries.map(\.asked) == [0])
        #expect(figures.prompt == (0, 0))
    }

    @Test func slowRecovery_isMeasuredAndCounts() {
        let figures = Availability(of: answers("seats: read", failing: 200..<291), during: [fault])
        #expect(figures.recoveries.map(\.time) == [4_000_000])
        #expect(figures.prompt == (0, 1))
        #expect(figures.shares[0].asked - figures.shares[0].answered == 20)
        #expect(figures.share < Availability.goal)
    }

    @Test func recovery_endsAtTheNextFault() {
        let next = FaultSpan("kill database", begun: .seconds(26), ended: .seconds(27), kinds: ["seats: read"])
        let figures = Availability(of: answers("seats: read", failing: 200..<275), during: [fault, next])
        #expect(figures.recoveries.map(\.time) == [900_000, 400_000])
        #expect(figures.share == 1)
    }

    @Test(arguments: [(25.5, 27.0, Int64(0)), (25.5, 26.0, 500_000), (28.5, 31.0, 3_500_000)])
    func unansweredRequest_isDueToTheFaultInWhichItWaited(_ begun: Double, _ ended: Double, _ recovery: Int64) {
        let next = FaultSpan(
            "kill database",
            begun: .seconds(begun < 26 ? 26 : 30.8),
            ended: .seconds(40),
            kinds: ["seats: read"]
        )
        let answer = RouteAnswer("seats: read", begun: .seconds(begun), ended: .seconds(ended), failure: "no answer")
        #expect(Availability(of: [answer], during: [fault, next]).recoveries[0].time == recovery)
    }

    @Test func withoutRequests_nothingIsMissed() {
        let figures = Availability(of: [], during: [fault])
        #expect(figures.share == 1)
        #expect(figures.shares == [])
        #expect(figures.recoveries.map(\.time) == [0])
    }
}
