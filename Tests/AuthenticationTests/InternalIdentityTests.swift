import Authentication
import Contracts
import TestKit
import Testing

@Suite struct InternalIdentityTests {
    private let secret = InternalSecret("a secret that only the tests know")
    private let now: Int64 = 1_800_000_000

    @Test(arguments: [
        InternalIdentity(caller: "gateway", app: .anlaka, account: 7, session: "5f1e"),
        InternalIdentity(caller: "gateway", app: .moup),
        InternalIdentity(caller: "auth"),
    ])
    func signedIdentity_roundTrips(identity: InternalIdentity) {
        let value = identity.signed(with: secret, now: now)
        #expect(InternalIdentity(value, secret: secret, now: now + 59) == identity)
    }

    /// The receiver's clock differs from the signer's by some seconds.
    @Test(arguments: [-60, -1, 0, 59, 60, 119] as [Int64])
    func clockAMinuteOff_isAccepted(difference: Int64) {
        let value = InternalIdentity(caller: "gateway").signed(with: secret, now: now)
        #expect(InternalIdentity(value, secret: secret, now: now + difference) != nil)
    }

    @Test(arguments: [-1_000_000_000, -86_400, -61, 120, 86_400] as [Int64])
    func expiredOrFutureIdentity_isRefused(difference: Int64) {
        let value = InternalIdentity(caller: "gateway").signed(with: secret, now: now)
        #expect(InternalIdentity(value, secret: secret, now: now + difference) == nil)
    }

    @Test func outOfRangeExpiry_isRefused() {
        for time in [Int64.min, -now, .max - InternalIdentity.lifetime] {
            let value = InternalIdentity(caller: "gateway").signed(with: secret, now: time)
            #expect(InternalIdentity(value, secret: secret, now: now) == nil)
        }
    }

    /// A rotation in three steps: accept the new secret, sign with it, forget the old one. At each step processes of
    /// the step before call processes of the step after, and the other way round.
    @Test func rollingRotation_refusesNoCall() {
        let steps = [
            InternalSecret("old"), InternalSecret("old", previous: "new"), InternalSecret("new", previous: "old"),
            InternalSecret("new"),
        ]
        let identity = InternalIdentity(caller: "auth")
        for (before, after) in zip(steps, steps.dropFirst()) {
            for (signer, verifier) in [(before, after), (after, before), (before, before), (after, after)] {
                let value = identity.signed(with: signer, now: now)
                #expect(InternalIdentity(value, secret: verifier, now: now) == identity)
            }
        }
    }

    @Test func previousSecret_isForgottenWithoutSetting() {
        let identity = InternalIdentity(caller: "auth")
        let value = identity.signed(with: InternalSecret("old"), now: now)
        #expect(InternalIdentity(value, secret: InternalSecret("new", previous: "old"), now: now) == identity)
        #expect(InternalIdentity(value, secret: InternalSecret("new"), now: now) == nil)
        #expect(InternalIdentity(value, secret: InternalSecret("new", previous: "older"), now: now) == nil)
    }

    @Test func identityWithOtherSecret_isRefused() {
        let value = InternalIdentity(caller: "gateway").signed(with: .development, now: now)
        #expect(InternalIdentity(value, secret: secret, now: now) == nil)
    }

    @Test func changedCharacter_isRefused() {
        let value = InternalIdentity(caller: "gateway", app: .moup, account: 7, session: "5f1e")
            .signed(with: secret, now: now)
        for index in value.indices {
            var changed = value
            changed.replaceSubrange(index...index, with: value[index] == "1" ? "2" : "1")
            #expect(InternalIdentity(changed, secret: secret, now: now) == nil)
        }
    }

    @Test(arguments: ["", ".", "1.gateway.moup.7.s.1900000000", "1.gateway.moup.7.s.1900000000.", "a.b.c.d.e.f.g.h"])
    func malformedIdentity_isRefused(value: String) {
        #expect(InternalIdentity(value, secret: secret, now: now) == nil)
    }
}
