import FoundationEssentials
import Testing

@testable import Auth

@Suite struct RefreshFamilyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let phone = Origin(address: "203.0.113.7", userAgent: "App/1")
    private let elsewhere = [
        Origin(address: "198.51.100.9", userAgent: "App/1"), Origin(address: "203.0.113.7", userAgent: "curl"),
    ]

    /// A family that the client refreshed ten seconds ago.
    private func family(used: Bool) -> RefreshFamily {
        RefreshFamily(
            generation: 3,
            expiresAt: now + 1000,
            rotatedAt: now - 10,
            usedGeneration: used ? 3 : 2,
            holders: [phone]
        )
    }

    @Test func verdict_rotatesNewestGenerationOnly() {
        for used in [true, false] {
            for origin in [phone] + elsewhere {
                #expect(family(used: used).verdict(presented: 3, from: origin, now: now) == .rotate)
                #expect(family(used: used).verdict(presented: 1, from: origin, now: now) == .reused)
                #expect(family(used: used).verdict(presented: 0, from: origin, now: now) == .reused)
                #expect(family(used: used).verdict(presented: -1, from: origin, now: now) == .reused)
                #expect(family(used: used).verdict(presented: 4, from: origin, now: now) == .ended(nil))
            }
        }
    }

    @Test func unusedAnswer_isRepeatedAtAnyTime() {
        var family = family(used: false)
        for origin in [phone] + elsewhere {
            #expect(family.verdict(presented: 2, from: origin, now: now) == .repeatAnswer)
        }
        family.rotatedAt = now - 900
        #expect(family.verdict(presented: 2, from: elsewhere[0], now: now) == .repeatAnswer)
    }

    @Test func usedAnswer_isRepeatedForHolderWithinGrace() {
        var family = family(used: true)
        #expect(family.verdict(presented: 2, from: phone, now: now) == .repeatAnswer)
        for origin in elsewhere { #expect(family.verdict(presented: 2, from: origin, now: now) == .reused) }
        family.rotatedAt = now - 59.9
        #expect(family.verdict(presented: 2, from: phone, now: now) == .repeatAnswer)
        family.rotatedAt = now - 60
        #expect(family.verdict(presented: 2, from: phone, now: now) == .reused)
    }

    /// After a minute without answers, the client sends two requests, and uses the first answer before the second one.
    @Test func lateAnswer_beginsTheGracePeriodAgain() {
        var family = family(used: false)
        family.rotatedAt = now - 59
        let isRenewed = family.renewAnswer(at: now, accessLifetime: 900)
        #expect(isRenewed && family.rotatedAt == now)
        family.usedGeneration = 3
        #expect(family.verdict(presented: 2, from: phone, now: now + 2) == .repeatAnswer)
        let isRenewedAgain = family.renewAnswer(at: now + 59, accessLifetime: 900)
        #expect(!isRenewedAgain)
        #expect(family.verdict(presented: 2, from: phone, now: now + 60) == .reused)
    }

    @Test func renewAnswer_dependsOnAge() {
        for (age, used, lifetime, isNew) in [
            (29.0, false, 900.0, false), (31, false, 900, true), (31, true, 900, false), (61, true, 900, true),
            (31, true, 60, true), (29, true, 60, false),
        ] {
            var family = family(used: used)
            family.rotatedAt = now - age
            let isRenewed = family.renewAnswer(at: now, accessLifetime: lifetime)
            #expect(isRenewed == isNew, "\(age), \(used), \(lifetime)")
        }
    }

    /// A client changed networks after its answer was lost, and sent two requests from the new network.
    @Test func clientWithTwoOrigins_isNotTheft() {
        var family = family(used: false)
        #expect(family.verdict(presented: 2, from: elsewhere[0], now: now) == .repeatAnswer)
        family.repeatAnswer(to: elsewhere[0])
        family.usedGeneration = 3
        for origin in [phone, elsewhere[0]] {
            #expect(family.verdict(presented: 2, from: origin, now: now) == .repeatAnswer)
        }
        #expect(family.verdict(presented: 2, from: elsewhere[1], now: now) == .reused)
    }

    /// A request was forwarded with the successor, whose holder may not have received it.
    @Test func forwardedAnswer_isRepeatedForResemblingOriginsOnly() {
        let thief = Origin(address: "192.0.2.66", userAgent: "curl")
        var family = RefreshFamily(expiresAt: now + 100_000)
        family.rotate(to: phone, at: now, isForwarded: true)
        for later in [1.0, 61, 90_000] {
            for origin in [phone] + elsewhere {
                #expect(family.verdict(presented: 0, from: origin, now: now + later) == .repeatAnswer)
            }
            #expect(family.verdict(presented: 0, from: thief, now: now + later) == .reused)
        }
        // A thief's request was forwarded, too: either party's next refresh ends the family.
        family = RefreshFamily(expiresAt: now + 100_000)
        family.rotate(to: phone, at: now)
        #expect(family.verdict(presented: 0, from: thief, now: now) == .repeatAnswer)
        #expect(family.isUnfamiliar(thief) && !family.isUnfamiliar(elsewhere[0]))
        family.repeatAnswer(to: thief, isForwarded: true)
        #expect(family.verdict(presented: 0, from: phone, now: now) == .reused)
    }

    @Test func endedOrExpiredFamily_isRefused() {
        var family = family(used: false)
        family.expiresAt = now
        #expect(family.verdict(presented: 3, from: phone, now: now) == .expired)
        family.endReason = .leaving
        #expect(family.verdict(presented: 3, from: phone, now: now) == .ended(.leaving))
    }
}
