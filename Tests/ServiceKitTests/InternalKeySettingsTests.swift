import Authentication
import Configuration
import Contracts
import ServiceKit
import Testing

/// `INTERNAL_KEY` and `INTERNAL_PUBLIC_KEYS`.
@Suite struct InternalKeySettingsTests {
    private typealias PrivateKey = InternalKeys.PrivateKey

    /// New private keys of all programs.
    private let keys = Dictionary(uniqueKeysWithValues: ProgramName.allCases.map { ($0, PrivateKey.random()) })

    private var publicKeys: String { InternalPublicKeys(of: keys.map { ($0, $1) }).text }

    private func text(_ program: ProgramName) throws -> String { try #require(keys[program]).text }

    private func read(_ environment: String, _ key: String?, _ publicKeys: String?) throws -> InternalKeys {
        var values = ["MADANG_ENV": environment]
        values["INTERNAL_KEY"] = key
        values["INTERNAL_PUBLIC_KEYS"] = publicKeys
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
        return try Settings.read(from: reader) { HostConfiguration(.auth, &$0, port: 8081).internalKeys }
    }

    private func problems(_ key: String?, _ publicKeys: String?, in environment: String = "production") -> [String] {
        let error = #expect(throws: SettingsError.self) { try read(environment, key, publicKeys) }
        return error?.problems ?? []
    }

    /// Whether auth accepts a call of chat.
    private func accepts(_ auth: InternalKeys, from chat: InternalKeys) -> Bool {
        let identity = InternalIdentity(caller: .chat)
        let value = identity.signed("GET", "/a", with: chat.key(to: .auth), now: 0)
        return auth.identity(value, of: "GET", "/a", now: 0) == identity
    }

    @Test(arguments: ["development", "production"]) func ownKeys_areUsed(environment: String) throws {
        let auth = try read(environment, text(.auth), publicKeys)
        let chat = try InternalKeys(
            of: .chat,
            own: [try #require(keys[.chat])],
            all: InternalPublicKeys(publicKeys)
        )
        #expect(auth.program == .auth)
        #expect(accepts(auth, from: chat))
        #expect(!accepts(auth, from: .development(.chat)))
    }

    @Test(arguments: [nil, ""]) func development_needsNone(none: String?) throws {
        #expect(accepts(try read("development", none, none), from: .development(.chat)))
    }

    @Test(arguments: [nil, ""]) func production_requiresBoth(none: String?) throws {
        let key = "INTERNAL_KEY must be set, to a private key that `stack init` writes"
        let list = "INTERNAL_PUBLIC_KEYS must be set, to the list that `stack init` writes"
        #expect(problems(none, none) == [key, list])
        #expect(problems(try text(.auth), none) == [list])
        #expect(problems(none, publicKeys) == [key])
        // What is set halfway is a mistake in development as well.
        #expect(problems(try text(.auth), none, in: "development") == [list])
        #expect(problems(none, publicKeys, in: "development") == [key])
    }

    @Test func production_refusesKeysOfDevelopment() throws {
        let own = PrivateKey.development(.auth).text
        let all = InternalPublicKeys.development.text
        #expect(
            problems(own, all) == [
                "INTERNAL_KEY must be another key than that of development; `stack init` writes new ones",
                "INTERNAL_PUBLIC_KEYS must have other keys than those of development, of "
                    + ProgramName.allCases.map(\.rawValue).joined(separator: ", "),
            ]
        )
        let mixed =
            publicKeys.split(separator: ",").filter { !$0.hasPrefix("chat:") }.joined(separator: ",")
            + "," + all.split(separator: ",").filter { $0.hasPrefix("chat:") }.joined()
        #expect(
            problems(try text(.auth), mixed) == [
                "INTERNAL_PUBLIC_KEYS must have other keys than those of development, of chat"
            ]
        )
        #expect(try read("development", own, all).program == .auth)
    }

    @Test func keyOfOtherProgram_isRefused() throws {
        let message = """
            INTERNAL_KEY must have its public key under auth in INTERNAL_PUBLIC_KEYS; `stack keys add` writes both
            """
        #expect(problems(try text(.chat), publicKeys) == [message])
        #expect(problems(PrivateKey.random().text, publicKeys) == [message])
        #expect(problems("\(try text(.auth)),\(PrivateKey.random().text)", publicKeys) == [message])
    }

    @Test func malformedKeys_areNamed() throws {
        let malformed = "INTERNAL_KEY must be a private key in base64url, or several joined by commas"
        for text in ["x", try text(.auth) + ",", try text(.auth) + "="] {
            #expect(problems(text, publicKeys) == [malformed])
        }
        #expect(
            problems(try text(.auth), "gateway") == [
                "INTERNAL_PUBLIC_KEYS has an entry, number 1, that is not PROGRAM:KEY"
            ]
        )
        #expect(problems(try text(.auth), "\(publicKeys),\(publicKeys)") == ["INTERNAL_PUBLIC_KEYS has a key twice"])
        let few = publicKeys.split(separator: ",").filter { !$0.hasPrefix("stack:") }.joined(separator: ",")
        #expect(problems(try text(.auth), few) == ["INTERNAL_PUBLIC_KEYS has no key of stack"])
    }
}
