import Authentication
import Contracts
import Crypto
import TestKit
import Testing

@Suite struct InternalKeysTests {
    private typealias PrivateKey = InternalKeys.PrivateKey

    private static let now: Int64 = 1_800_000_000

    /// The private keys of a program at each step of a replacement of all keys; the first one is in use.
    private static let steps = [["old"], ["old", "new"], ["new", "old"], ["new"]]

    private static func key(_ program: ProgramName, _ name: String) throws -> PrivateKey {
        try PrivateKey(rawRepresentation: SHA256.hash(data: Array("\(name) key of \(program)".utf8)))
    }

    private static func keys(_ program: ProgramName, _ names: [String]) throws -> InternalKeys {
        try InternalKeys(
            of: program,
            own: names.map { try key(program, $0) },
            all: InternalPublicKeys(publicKeys(names))
        )
    }

    private static func isAccepted(from caller: InternalKeys, at target: InternalKeys) -> Bool {
        guard let service = ServiceName(rawValue: target.program.rawValue) else { return false }
        let identity = InternalIdentity(caller: caller.program)
        let value = identity.signed("GET", "/a", with: caller.key(to: service), now: now)
        return target.identity(value, of: "GET", "/a", now: now) == identity
    }

    /// Programs are started again one after the other, so that those of two steps call each other.
    @Test func rollingReplacement_refusesNoCall() throws {
        let steps = Self.steps
        for (before, after) in zip(steps, steps.dropFirst()) {
            for (one, other) in [(before, after), (after, before), (before, before), (after, after)] {
                let caller = try Self.keys(.payments, one)
                let target = try Self.keys(.chat, other)
                #expect(Self.isAccepted(from: caller, at: target), "\(one) to \(other)")
            }
        }
    }

    @Test func replacedKey_isRefused() throws {
        #expect(!Self.isAccepted(from: try Self.keys(.payments, ["old"]), at: try Self.keys(.chat, ["new"])))
        #expect(!Self.isAccepted(from: try Self.keys(.payments, ["new"]), at: try Self.keys(.chat, ["old"])))
    }

    @Test func unsharedKey_isTheSame() {
        let keys = InternalKeys.development(.gateway)
        let identity = InternalIdentity(caller: .gateway)
        let values = [keys.key(to: .auth), keys.key(to: .auth).unshared].map {
            identity.signed("GET", "/a", with: $0, now: Self.now)
        }
        #expect(values[0] == values[1])
    }

    @Test func privateKeyWithoutPublicOne_isRefused() throws {
        #expect(throws: InternalKeyFault.unknown(.chat)) {
            try InternalKeys(of: .chat, own: [try Self.key(.chat, "new")], all: .development)
        }
        // That of another program.
        #expect(throws: InternalKeyFault.unknown(.chat)) {
            try InternalKeys(of: .chat, own: [.development(.auth)], all: .development)
        }
        #expect(throws: InternalKeyFault.unknown(.chat)) {
            try InternalKeys(of: .chat, own: [.development(.chat), try Self.key(.chat, "new")], all: .development)
        }
        #expect(throws: InternalKeyFault.unknown(.chat)) { try InternalKeys(of: .chat, own: [], all: .development) }
    }

    /// A point of small order (RFC 7748 §6.1).
    @Test func publicKeyOfSmallOrder_isRefused() throws {
        let zero = try CallKey.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 32))
        let entries = ProgramName.allCases.map { program in
            (program, program == .seats ? zero : PrivateKey.development(program).publicKey)
        }
        #expect(throws: InternalKeyFault.unusable(.seats)) {
            try InternalKeys(of: .chat, own: [.development(.chat)], all: InternalPublicKeys(entries))
        }
    }

    @Test func publicKeys_areListed() throws {
        let text = InternalPublicKeys.development.text
        let keys = try InternalPublicKeys(text)
        #expect(keys.text == text)
        #expect(keys.programsInDevelopment == ProgramName.allCases)
        #expect(try InternalPublicKeys(Self.publicKeys(["new"])).programsInDevelopment == [])
    }

    private static func publicKeys(_ names: [String]) throws -> String {
        let entries = try ProgramName.allCases.flatMap { program in
            try names.map { (program, try key(program, $0).publicKey) }
        }
        return InternalPublicKeys(entries).text
    }

    @Test func unusableList_isRefused() {
        let text = InternalPublicKeys.development.text
        let entries = text.split(separator: ",")
        let broken: [(String, InternalKeyFault)] = [
            ("", .malformed(entry: 1)), (text + ",", .malformed(entry: 12)), ("\(text),chat", .malformed(entry: 12)),
            (text.replacing("auth:", with: "other:"), .malformed(entry: 2)),
            (text.replacing("auth:", with: "auth:A"), .malformed(entry: 2)),
            (text.replacing("auth:", with: "auth::"), .malformed(entry: 2)), ("\(text),\(entries[0])", .repeated),
            (text.replacing("stack:", with: "auth:"), .missing([.stack])),
            (entries.prefix(8).joined(separator: ","), .missing([.notifications, .console, .stack])),
        ]
        for (text, fault) in broken { #expect(throws: fault) { try InternalPublicKeys(text) } }
        #expect("\(InternalKeyFault.missing([.chat, .stack]))" == "has no key of chat, stack")
    }

    @Test func privateKeys_areListed() throws {
        let keys = [try Self.key(.chat, "old"), try Self.key(.chat, "new")]
        let read = PrivateKey.list(keys.map(\.text).joined(separator: ","))
        #expect(read?.map(\.rawRepresentation) == keys.map(\.rawRepresentation))
        for text in ["", "x", ",", keys[0].text + ",", keys[0].text + "A", " " + keys[0].text] {
            #expect(PrivateKey.list(text) == nil)
        }
        #expect(!keys[0].isOfDevelopment && PrivateKey.development(.chat).isOfDevelopment)
    }
}
