import Testing
import Values

@testable import Proof

struct LoadControlTests {
    /// Lets a control run on a machine.
    ///
    /// - Parameter isBad: Whether a window with a number of people is bad.
    private static func run(
        most: Int,
        windows: Int = 120,
        isFixed: Bool = false,
        limit: Int = 1000,
        isBad: (_ people: Int, _ window: Int) -> Bool
    ) -> LoadControl {
        var control = LoadControl(most: most, isFixed: isFixed, windows: windows)
        for window in 0..<windows {
            let breaches = isBad(control.people, window) ? ["too late"] : []
            control.take(breaches: breaches, use: Double(control.people) / Double(limit))
        }
        return control
    }

    @Test(arguments: [3, 19, 20, 70, 333, 1000, 1900])
    func capacity_isFound_withinATwentieth(limit: Int) {
        let control = Self.run(most: 2000, limit: limit) { people, _ in people > limit }
        #expect(control.phase == .holding)
        #expect(control.people <= limit && Double(control.people) >= Double(limit) * 0.93 - 1, "\(control.people)")
        #expect(control.bad.map { $0 > limit } == true)
        #expect(control.held.bad == 0 && control.held.good > 20)
    }

    @Test func thresholdsThatNeverBreak_endWithAllWhoSignedUp() {
        let control = Self.run(most: 2000, limit: 100_000) { _, _ in false }
        #expect(control.people == 2000 && control.good == 2000 && control.bad == nil && control.phase == .holding)
    }

    @Test func thresholdsThatAlwaysBreak_endWithOnePerson() {
        let control = Self.run(most: 2000) { _, _ in true }
        #expect(control.people == 1 && control.good == 0 && control.bad == 1)
        #expect(control.held.good == 0)
    }

    @Test func oneBadWindow_decidesNothing() {
        for bad in 0..<60 {
            let control = Self.run(most: 500, windows: 200, limit: 100_000) { _, window in window == bad }
            #expect(control.people == 500 && control.bad == nil, "\(bad)")
        }
    }

    /// One window in seven is bad for no reason.
    @Test func noisyMachine_isFoundToServeNearlyTheSame() {
        for seed in 0..<50 as Range<UInt64> {
            var random = SplitMix(state: seed)
            let control = Self.run(most: 4000, windows: 240, limit: 1000) { people, _ in
                people > 1000 || Int.random(in: 0..<7, using: &random) == 0
            }
            #expect((500...1050).contains(control.people), "\(seed): \(control.people)")
        }
    }

    @Test func capacityThatShrinks_whileItIsHeld_isFollowed() {
        let control = Self.run(most: 2000, windows: 240) { people, window in people > (window < 150 ? 1000 : 700) }
        #expect((560...700).contains(control.people), "\(control.people)")
        #expect(control.held.bad == 0 && control.held.good > 0)
    }

    @Test func windowsAfterAChange_doNotCount() {
        var control = LoadControl(most: 100, windows: 100)
        for _ in 0..<2 {
            #expect(control.isSettling)
            control.take(breaches: ["cold caches"], use: 9)
        }
        #expect(!control.isSettling && control.trials.isEmpty)
        control.take(breaches: [], use: 0)
        control.take(breaches: [], use: 0)
        #expect(control.people == 40 && control.isSettling)
        #expect(control.trials == [.init(people: 20, good: 2)])
    }

    @Test func stepsAreSmaller_nearThresholds() {
        var control = LoadControl(most: 1000, windows: 100)
        for _ in 0..<4 { control.take(breaches: [], use: 0.8) }
        #expect(control.people == 25)
    }

    @Test func fixedNumber_isNeverChanged() {
        let control = Self.run(most: 300, isFixed: true) { _, window in window > 20 }
        #expect(control.people == 300 && control.phase == .holding)
        #expect(control.held.good == 19 && control.held.bad == 99)
    }

    @Test func searchEnds_soThatTheNumberCanBeHeld() {
        // Too few windows to reach the limit.
        let control = Self.run(most: 20_000, windows: 20, limit: 100_000) { _, _ in false }
        #expect(control.phase == .holding && control.people == control.good && control.people < 20_000)
        #expect(control.held.good >= 5)
    }

    @Test func share_ofTheFoundNumberIsHeld() {
        var control = LoadControl(most: 2000, share: 0.5, windows: 120)
        for _ in 0..<120 {
            let breaches = control.people > 1000 ? ["too late"] : []
            control.take(breaches: breaches, use: Double(control.people) / 1000)
        }
        #expect(control.phase == .holding && control.people == control.good / 2 && control.held.good > 20)
    }
}
