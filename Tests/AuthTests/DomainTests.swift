import Crypto
import FoundationEssentials
import Testing

@testable import Auth

@Suite struct EmailAddressTests {
    @Test(arguments: ["a@b.kr", "A.B_c%d+e-f@sub.example.com", "1@2.co"])
    func accepts(text: String) throws {
        #expect(try EmailAddress(parsing: text).text == text.lowercased())
    }

    @Test(arguments: [
        "", "@", "a@", "@b.kr", "a@b", "a@b.k", "a@b.c0m", "a@@b.kr", "a b@c.kr", "a@b..kr", "가@b.kr", "a@b.kr ",
    ])
    func refuses(text: String) {
        #expect(throws: AccountError.emailInvalid) { try EmailAddress(parsing: text) }
    }

    @Test func refusesEndlessOnes() {
        #expect(throws: AccountError.emailInvalid) {
            try EmailAddress(parsing: String(repeating: "a", count: 65) + "@b.kr")
        }
    }
}

@Suite struct PasswordTests {
    @Test(arguments: ["abcd123!", "A1@$!%*#?&", "aaaaaaa1&"])
    func accepts(text: String) throws {
        #expect(try Password(parsing: text).text == text)
    }

    @Test(arguments: [
        "", "abc123!", "abcdefgh", "12345678", "abcd1234", "abcd!!!!", "1234!!!!", "abcd123! ", "abcd123!é", "abcd123^",
    ])
    func refuses(text: String) {
        #expect(throws: AccountError.passwordWeak) { try Password(parsing: text) }
    }

    @Test func refusesEndlessOnes() {
        #expect(throws: AccountError.passwordWeak) { try Password(parsing: "a1!" + String(repeating: "a", count: 126)) }
    }
}

@Suite struct PasswordHasherTests {
    private let hasher = PasswordHasher(cost: .least, threads: 1, queueLimit: 100)

    @Test func knowsThePasswordAgain() async throws {
        let stored = try await hasher.hash(Password(parsing: "abcd123!"))
        #expect(try await hasher.verify("abcd123!", against: stored))
        #expect(try await !hasher.verify("abcd123?", against: stored))
        #expect(try await !hasher.verify("", against: stored))
    }

    @Test func saltsEveryHash() async throws {
        let password = try Password(parsing: "abcd123!")
        #expect(try await hasher.hash(password) != hasher.hash(password))
    }

    @Test(arguments: [nil, "", "x", "scrypt$1$1$1$AA$AA", "scrypt$99999$8$1$AA", "bcrypt$a$b$c$d$e"])
    func nothingMatchesWhatIsNoHash(stored: String?) async throws {
        #expect(try await !hasher.verify("abcd123!", against: stored))
    }

    @Test func refusesMoreThanItCanDo() async throws {
        let hasher = PasswordHasher(cost: PasswordHasher.Cost(logN: 14, r: 8, p: 1), threads: 1, queueLimit: 2)
        let password = try Password(parsing: "abcd123!")
        let refused = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    do {
                        _ = try await hasher.hash(password)
                        return false
                    } catch {
                        return error as? AccountError == .busy
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused > 0)
        #expect(refused < 30)
    }
}

@Suite struct RefreshFamilyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var family: RefreshFamily {
        RefreshFamily(generation: 3, expiresAt: now + 1000, rotatedAt: now - 10)
    }

    @Test func rotatesTheNewestOnly() {
        #expect(family.verdict(presented: 3, now: now) == .rotate)
        #expect(family.verdict(presented: 2, now: now) == .repeatAnswer)
        #expect(family.verdict(presented: 1, now: now) == .reused)
        #expect(family.verdict(presented: 0, now: now) == .reused)
        #expect(family.verdict(presented: 4, now: now) == .ended)
    }

    @Test func graceEnds() {
        var family = family
        family.rotatedAt = now - 59.9
        #expect(family.verdict(presented: 2, now: now) == .repeatAnswer)
        family.rotatedAt = now - 60
        #expect(family.verdict(presented: 2, now: now) == .reused)
    }

    @Test func anEndedOrExpiredFamilyGivesNothing() {
        var family = family
        family.expiresAt = now
        #expect(family.verdict(presented: 3, now: now) == .expired)
        family.endedAt = now
        #expect(family.verdict(presented: 3, now: now) == .ended)
    }
}

@Suite struct KeyScheduleTests {
    private let schedule = KeySchedule(period: 100, lead: 10, afterlife: 1000)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func theFirstKeySignsAtOnceAndTheNextIsPublishedAhead() {
        #expect(schedule.needsNext(after: [], now: now))
        #expect(schedule.activation(after: [], now: now) == now)
        let first = SigningKey.generate(activeAt: now)
        #expect(!schedule.needsNext(after: [first], now: now + 89))
        #expect(schedule.needsNext(after: [first], now: now + 90))
        #expect(schedule.activation(after: [first], now: now + 90) == now + 100)
    }
}

@Suite struct SealTests {
    @Test func opensUnderTheSameSecretAndPurposeOnly() throws {
        let sealed = try Seal(secret: "a", purpose: "p").close(Array("token".utf8))
        #expect(try Seal(secret: "a", purpose: "p").open(sealed) == Array("token".utf8))
        #expect(throws: (any Error).self) { try Seal(secret: "b", purpose: "p").open(sealed) }
        #expect(throws: (any Error).self) { try Seal(secret: "a", purpose: "q").open(sealed) }
        #expect(throws: (any Error).self) { try Seal(secret: "a", purpose: "p").open(sealed.reversed()) }
        #expect(throws: (any Error).self) { try Seal(secret: "a", purpose: "p").open([]) }
    }
}
