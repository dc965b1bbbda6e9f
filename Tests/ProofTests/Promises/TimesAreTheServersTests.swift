import Proof
import Testing

struct TimesAreTheServersTests {
    private func check(began: Double) -> Finding {
        var history = ClockHistory()
        history.clockIns = [ClockIn(Attempt(1, 100, 101), shift: 7, error: -600)]
        history.shown = [
            ShownShift(Attempt(1, 110, 111), shift: 7, began: .seconds(began)),
            ShownShift(Attempt(1, 120, 121), shift: 7, began: .seconds(began)),
            ShownShift(Attempt(1, 120, 121), shift: 8, began: .seconds(-5_000)),
        ]
        return TimesAreTheServers.check(history)
    }

    @Test(arguments: [56, 100, 101, 145]) func timeOfTheRequest_isKept(began: Double) {
        let finding = check(began: began)
        #expect(finding.isKept && finding.checked == 3)
    }

    @Test func timeOfThePhone_isFoundOnce() {
        let finding = check(began: -500)
        #expect(finding.sentences == ["Shift 7 began at -500.000 s, but its clock-in was made at 100.000 s."])
        #expect(
            finding.stories == [
                [
                    "phone 1 clocked in, with a clock that is -600 s ahead",
                    "phone 1 was shown that shift 7 began at -500.000 s",
                ]
            ]
        )
    }

    @Test func laterTime_isFound() {
        #expect(check(began: 700).violations.count == 1)
    }
}
