import Crypto
import FoundationEssentials
import Testing

@testable import Auth

@Suite struct KeyScheduleTests {
    private let schedule = KeySchedule(period: 100, lead: 10, afterlife: 1000)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func keySchedule_activatesFirstKeyAtOnce() {
        #expect(schedule.needsNext(after: [], now: now))
        #expect(schedule.activation(after: [], now: now) == now)
        let first = SigningKey.generate(activeAt: now)
        #expect(!schedule.needsNext(after: [first], now: now + 89))
        #expect(schedule.needsNext(after: [first], now: now + 90))
        #expect(schedule.activation(after: [first], now: now + 90) == now + 100)
    }
}

@Suite struct KeyEncryptionTests {
    @Test func encryption_opensWithSameSecretAndPurposeOnly() throws {
        let sealed = try KeyEncryption(secret: "a", purpose: "p").close(Array("token".utf8))
        #expect(try KeyEncryption(secret: "a", purpose: "p").open(sealed) == Array("token".utf8))
        #expect(throws: (any Error).self) { try KeyEncryption(secret: "b", purpose: "p").open(sealed) }
        #expect(throws: (any Error).self) { try KeyEncryption(secret: "a", purpose: "q").open(sealed) }
        #expect(throws: (any Error).self) { try KeyEncryption(secret: "a", purpose: "p").open(sealed.reversed()) }
        #expect(throws: (any Error).self) { try KeyEncryption(secret: "a", purpose: "p").open([]) }
    }
}
