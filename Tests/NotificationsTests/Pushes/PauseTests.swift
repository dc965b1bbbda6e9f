import Testing

@testable import Notifications

/// The pause before the next attempt at FCM.
@Suite
struct PauseTests {
    @Test
    func pause_doublesUpToOneMinute_andHonoursRetryAfter() {
        for (failures, seconds) in [(1, 1.0), (2, 2), (3, 4), (6, 32), (7, 60), (400, 60), (.max, 60)] {
            let pause = Pause.after(failures)
            #expect(pause >= 0.5 * seconds && pause <= seconds, "\(failures): \(pause)")
        }
        #expect(Pause.after(1, asked: 100) == 100)
        #expect(Pause.after(1, asked: 100_000) == 3600)
        #expect(Pause.after(7, asked: 1) >= 30)
    }
}
