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

    @Test func signedIdentity_expiresAfterOneMinute() {
        let value = InternalIdentity(caller: "gateway").signed(with: secret, now: now)
        #expect(InternalIdentity(value, secret: secret, now: now + 60) == nil)
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
