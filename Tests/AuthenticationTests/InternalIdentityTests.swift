import Authentication
import Contracts
import Crypto
import TestKit
import Testing

@Suite struct InternalIdentityTests {
    private let now: Int64 = 1_800_000_000
    private let identity = InternalIdentity(caller: .gateway, app: .moup, account: 7, session: "5f1e")

    /// The header's value of `GET /a?b=c`.
    private func value(
        _ identity: InternalIdentity,
        to service: ServiceName = .chat,
        with keys: InternalKeys? = nil,
        at time: Int64? = nil
    ) -> String {
        let keys = keys ?? .development(identity.caller)
        return identity.signed("GET", "/a?b=c", with: keys.key(to: service), now: time ?? now)
    }

    private func read(
        _ value: String,
        _ method: String = "GET",
        _ path: String = "/a?b=c",
        at target: ProgramName = .chat
    ) -> InternalIdentity? {
        InternalKeys.development(target).identity(value, of: method, path, now: now)
    }

    @Test(arguments: [
        InternalIdentity(caller: .gateway, app: .anlaka, account: 7, session: "5f1e"),
        InternalIdentity(caller: .gateway, app: .moup),
        InternalIdentity(caller: .auth), InternalIdentity(caller: .stack),
    ])
    func signedIdentity_roundTrips(identity: InternalIdentity) {
        #expect(read(value(identity)) == identity)
        #expect(InternalIdentity(unverified: value(identity)) == identity)
    }

    /// The receiver's clock differs from the signer's by some seconds.
    @Test(arguments: [-60, -1, 0, 59, 60] as [Int64])
    func clockAMinuteOff_isAccepted(difference: Int64) {
        #expect(read(value(identity, at: now + difference)) == identity)
    }

    @Test(arguments: [-1_000_000_000, -86_400, -61, 61, 86_400] as [Int64])
    func expiredOrFutureIdentity_isRefused(difference: Int64) {
        #expect(read(value(identity, at: now + difference)) == nil)
    }

    @Test func outOfRangeTime_isRefused() {
        for time in [Int64.min, -now, .max] { #expect(read(value(identity, at: time)) == nil) }
    }

    @Test func identityForOtherRequest_isRefused() {
        let value = value(identity)
        for (method, path) in [
            ("POST", "/a?b=c"), ("get", "/a?b=c"), ("", "/a?b=c"), ("GET", "/a"), ("GET", "/a?b=d"), ("GET", "/A?b=c"),
            ("GET", "/a?b=c "), ("GET", "//a?b=c"), ("GET", ""), ("GET /a?b=c", ""),
        ] {
            #expect(read(value, method, path) == nil, "\(method) \(path)")
        }
    }

    @Test func identityForOtherTarget_isRefused() {
        let value = value(identity)
        for target in ProgramName.allCases where target != .chat { #expect(read(value, at: target) == nil) }
    }

    /// A program that has stolen chat's key, or is chat, can state no other caller.
    @Test func identityOfOtherCaller_isRefused() {
        for caller in ProgramName.allCases where caller != .chat {
            let forged = value(InternalIdentity(caller: caller), to: .payments, with: .development(.chat))
            #expect(read(forged, at: .payments) == nil)
        }
        // The code of the other direction: what payments has received from chat is nothing that payments has said.
        let said = value(InternalIdentity(caller: .chat), to: .payments)
        #expect(read(said, at: .payments) != nil)
        #expect(read(said.replacing(".chat.", with: ".payments."), at: .chat) == nil)
    }

    @Test func appOfOtherCallerThanGateway_isRefused() {
        for caller in ProgramName.allCases where caller != .gateway {
            let stated = InternalIdentity(caller: caller, app: .moup, account: 7, session: "s")
            #expect(read(value(stated)) == nil)
            #expect(InternalIdentity(unverified: value(stated)) == nil)
        }
    }

    @Test func changedCharacter_isRefused() {
        let value = value(identity)
        for index in value.indices {
            var changed = value
            changed.replaceSubrange(index...index, with: value[index] == "1" ? "2" : "1")
            #expect(read(changed) == nil)
            #expect(read(String(value[..<index])) == nil)
        }
    }

    @Test(arguments: [
        "", ".", "......", "2.gateway.moup.7.s.1800000000", "2.gateway.moup.7.s.1800000000.",
        "2.other.-.-.-.1800000000.AAAA",
        "a.b.c.d.e.f.g.h", "1.gateway.-.-.-.1800000000.AAAA", "2.gateway.-.-.-.x.AAAA", "2.gateway.-.-.-.1800000000.=",
        "2.gateway.-.-.-.99999999999999999999.AAAA",
    ])
    func malformedIdentity_isRefused(value: String) {
        #expect(read(value) == nil)
    }

    /// Fields of one name are joined by commas (RFC 9110 §5.2).
    @Test func repeatedIdentity_isRefused() {
        #expect(read("\(value(identity)), \(value(identity))") == nil)
        #expect(read("\(value(identity)),") == nil)
    }
}
