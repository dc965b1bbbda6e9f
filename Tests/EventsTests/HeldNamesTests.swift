import Testing

@testable import Events

struct HeldNamesTests {
    @Test func name_isHeldUntilThePauseIsOver() {
        var names = HeldNames()
        let now = ContinuousClock.now
        names.hold("auth.step-taken", until: now + .seconds(30))
        #expect(names.isHeld("auth.step-taken", at: now + .seconds(29)))
        #expect(!names.isHeld("auth.story-written", at: now))
        #expect(!names.isHeld("auth.step-taken", at: now + .seconds(30)))
    }
}
