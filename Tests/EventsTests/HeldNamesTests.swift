import Testing

@testable import Events

struct HeldNamesTests {
    @Test func name_isHeldUntilThePauseIsOver() {
        let names = HeldNames()
        let now = ContinuousClock.now
        names.hold("auth.step-taken", for: .seconds(30), now: now)
        #expect(names.isHeld("auth.step-taken", now: now + .seconds(29)))
        #expect(!names.isHeld("auth.story-written", now: now))
        #expect(!names.isHeld("auth.step-taken", now: now + .seconds(30)))
        // It was forgotten.
        #expect(!names.isHeld("auth.step-taken", now: now))
    }
}
