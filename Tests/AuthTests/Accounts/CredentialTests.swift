import Testing

@testable import Auth

@Suite struct EmailAddressTests {
    @Test(arguments: ["a@b.kr", "A.B_c%d+e-f@sub.example.com", "1@2.co"])
    func validEmail_isAccepted(text: String) throws {
        #expect(try EmailAddress(parsing: text).text == text.lowercased())
    }

    @Test(arguments: [
        "", "@", "a@", "@b.kr", "a@b", "a@b.k", "a@b.c0m", "a@@b.kr", "a b@c.kr", "a@b..kr", "가@b.kr", "a@b.kr ",
    ])
    func invalidEmail_isRefused(text: String) {
        #expect(throws: AccountError.emailInvalid) { try EmailAddress(parsing: text) }
    }

    @Test func overlongEmail_isRefused() {
        #expect(throws: AccountError.emailInvalid) {
            try EmailAddress(parsing: String(repeating: "a", count: 65) + "@b.kr")
        }
    }
}

@Suite struct PasswordTests {
    @Test(arguments: ["abcd123!", "A1@$!%*#?&", "aaaaaaa1&"])
    func validPassword_isAccepted(text: String) throws {
        #expect(try Password(parsing: text).text == text)
    }

    @Test(arguments: [
        "", "abc123!", "abcdefgh", "12345678", "abcd1234", "abcd!!!!", "1234!!!!", "abcd123! ", "abcd123!é", "abcd123^",
    ])
    func invalidPassword_isRefused(text: String) {
        #expect(throws: AccountError.passwordWeak) { try Password(parsing: text) }
    }

    @Test func overlongPassword_isRefused() {
        #expect(throws: AccountError.passwordWeak) { try Password(parsing: "a1!" + String(repeating: "a", count: 126)) }
    }
}

@Suite struct PasswordHasherTests {
    private let hasher = PasswordHasher(cost: .least, threads: 1, queueLimit: 100)

    @Test func verification_matchesOnlyHashedPassword() async throws {
        let stored = try await hasher.hash(Password(parsing: "abcd123!"))
        #expect(try await hasher.verify("abcd123!", against: stored))
        #expect(try await !hasher.verify("abcd123?", against: stored))
        #expect(try await !hasher.verify("", against: stored))
    }

    @Test func samePassword_hasDifferentHashes() async throws {
        let password = try Password(parsing: "abcd123!")
        #expect(try await hasher.hash(password) != hasher.hash(password))
    }

    @Test(arguments: [nil, "", "x", "scrypt$1$1$1$AA$AA", "scrypt$99999$8$1$AA", "bcrypt$a$b$c$d$e"])
    func invalidHash_matchesNothing(stored: String?) async throws {
        #expect(try await !hasher.verify("abcd123!", against: stored))
    }

    @Test func fullQueue_throwsBusy() async throws {
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
