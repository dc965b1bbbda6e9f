import FoundationEssentials
import Subway
import Testing

@testable import Seats

@Suite struct TrackingTests {
    private let now = Date(timeIntervalSince1970: 1_763_700_000)

    private func tracking(in seconds: Double, seen: Bool = false, blind: Int = 0) -> Tracking {
        Tracking(expectedArrival: now + seconds, wasSeen: seen, blindExtensions: blind)
    }

    @Test(arguments: [ArrivalCode.entering, .arrived, .departed], [-100.0, 0, 30, 4000])
    func trainAtPlatform_hasArrived(code: ArrivalCode, expected: Double) {
        #expect(tracking(in: expected).after(.seen(code, seconds: 60), now: now) == .arrived)
    }

    @Test(arguments: [
        // Expected seconds, observed code, observed seconds, new expected seconds.
        (300.0, ArrivalCode.running, 300, 300.0), (300, .running, 340, 300), (300, .running, 260, 300),
        (300, .running, 341, 341), (300, .running, 259, 259), (300, .departedPrevious, 90, 90),
        (60, .enteringPrevious, 61, 61), (60, .enteringPrevious, 100, 100), (60, .enteringPrevious, 59, 60),
        (60, .enteringPrevious, 19, 19), (60, .arrivedPrevious, 100, 60), (0, .arrivedPrevious, 30, 30),
        (-50, .running, 200, 200), (0, .departedPrevious, 0, 5),
    ])
    func boardObservation_movesExpectedArrival(expected: Double, code: ArrivalCode, seconds: Int, then: Double) {
        let before = tracking(in: expected)
        let after = Tracking(expectedArrival: now + then, wasSeen: true)
        #expect(before.after(.seen(code, seconds: seconds), now: now) == .underway(after, isChanged: then != expected))
    }

    @Test func seenTrainThatDisappears_hasArrived() {
        #expect(tracking(in: 900, seen: true).after(.notSeen, now: now) == .arrived)
    }

    @Test func unseenTrain_isExtendedThreeTimes() {
        var tracking = tracking(in: 700)
        #expect(tracking.after(.notSeen, now: now) == .underway(tracking, isChanged: false))
        var clock = now + 200
        for count in 1...3 {
            let next = Tracking(expectedArrival: clock + 600, blindExtensions: count)
            #expect(tracking.after(.notSeen, now: clock) == .underway(next, isChanged: true))
            tracking = next
            clock += 500
        }
        #expect(tracking.after(.notSeen, now: clock) == .underway(tracking, isChanged: false))
        #expect(tracking.after(.notSeen, now: tracking.expectedArrival) == .arrived)
    }

    @Test func unavailableBoard_usesExpectedArrival() {
        for seen in [true, false] {
            let tracking = tracking(in: 10, seen: seen)
            #expect(tracking.after(.unavailable, now: now) == .underway(tracking, isChanged: false))
            #expect(tracking.after(.unavailable, now: now + 10) == .arrived)
        }
    }

    @Test(arguments: [
        // Remaining seconds, whether it is the first check, seconds until the next check.
        (3600.0, true, 2880.0), (1800, true, 1440), (1799, true, 10), (600, true, 10), (4, true, 4), (0, true, 0),
        (600, false, 480), (26, false, 21), (24, false, 20), (25, false, 20), (9, false, 8), (6, false, 5),
        (3, false, 3),
        (0, false, 0), (-9, false, 0),
    ])
    func nextCheck_isAtFourFifthsOfRemainingTime(remaining: Double, isFirst: Bool, pause: Double) {
        #expect(Tracking.nextCheck(expectedArrival: now + remaining, now: now, isFirst: isFirst) == now + pause)
    }

    @Test func nextCheck_staysWithinBounds() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let remaining = Double.random(in: -100...8000, using: &generator)
            let expected = now + remaining
            for isFirst in [true, false] {
                let check = Tracking.nextCheck(expectedArrival: expected, now: now, isFirst: isFirst)
                #expect(check >= now)
                #expect(check <= max(now, expected))
                #expect(check >= now + 5 || check == max(now, expected))
            }
        }
    }

    /// Every journey ends after fewer than 500 checks, with any observations.
    @Test func randomObservations_endEveryJourney() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var tracking = tracking(in: Double.random(in: 1...7200, using: &generator))
            var clock = now
            var looks = 0
            // After `talk` checks the board shows the train no more.
            let talk = Int.random(in: 0...40, using: &generator)
            journey: while true {
                let check = Tracking.nextCheck(
                    expectedArrival: tracking.expectedArrival,
                    now: clock,
                    isFirst: looks == 0
                )
                #expect(check >= clock)
                clock = check
                looks += 1
                #expect(looks < 500)
                guard looks < 500 else { break }
                let observation: Tracking.Observation =
                    switch Int.random(in: 0...9, using: &generator) {
                    case 0...5 where looks < talk:
                        .seen(
                            [.running, .departedPrevious, .enteringPrevious, .arrivedPrevious].randomElement()
                                ?? .running,
                            seconds: Int.random(in: 0...2000, using: &generator)
                        )
                    case 6...7: .unavailable
                    default: .notSeen
                    }
                switch tracking.after(observation, now: clock) {
                case .arrived: break journey
                case .underway(let next, let isChanged):
                    #expect(isChanged == (next.expectedArrival != tracking.expectedArrival))
                    #expect(next.expectedArrival > clock)
                    #expect((tracking.blindExtensions...3).contains(next.blindExtensions))
                    tracking = next
                }
            }
        }
    }
}
