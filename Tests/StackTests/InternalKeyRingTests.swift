import Authentication
import Contracts
import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import StackKit

/// The keys of internal calls in `.env`, made by `stack init` and replaced by `stack keys`.
@Suite(.timeLimit(.minutes(1))) struct InternalKeyRingTests {
    private static let template = """
        # Settings.
        MADANG_ENV=production
        \(ProgramName.allCases.map { "\(InternalKeyRing.setting(of: $0))=\n" }.joined())INTERNAL_PUBLIC_KEYS=
        #RATE_ADDRESS=1000

        """

    private static func fresh() throws -> EnvironmentFile {
        var file = EnvironmentFile(template: template)
        try file.generateSecrets()
        return file
    }

    /// The keys of a program, as it reads them.
    private func keys(_ program: ProgramName, _ file: EnvironmentFile) throws -> InternalKeys {
        try InternalKeys(
            of: program,
            own: #require(file.value(of: InternalKeyRing.setting(of: program)).flatMap(InternalKeys.PrivateKey.list)),
            all: InternalPublicKeys(#require(file.value(of: InternalKeyRing.publicKeys)))
        )
    }

    /// Whether chat accepts a call of payments.
    private func isAccepted(_ payments: EnvironmentFile, _ chat: EnvironmentFile) throws -> Bool {
        let identity = InternalIdentity(caller: .payments)
        let value = identity.signed("GET", "/a", with: try keys(.payments, payments).key(to: .chat), now: 0)
        return try keys(.chat, chat).identity(value, of: "GET", "/a", now: 0) == identity
    }

    @Test func freshFile_hasKeysOfAllPrograms() throws {
        let file = try Self.fresh()
        #expect(file.missing == [])
        for program in ProgramName.allCases { #expect(try keys(program, file).program == program) }
        #expect(try isAccepted(file, file))
        #expect(try !isAccepted(file, Self.fresh()))
    }

    @Test func givenKey_isListed() throws {
        let own = InternalKeys.PrivateKey.random()
        var file = EnvironmentFile(template: Self.template)
        try file.set("CHAT_INTERNAL_KEY", to: own.text)
        try file.generateSecrets()
        #expect(file.value(of: "CHAT_INTERNAL_KEY") == own.text)
        #expect(try isAccepted(file, file))
        var broken = EnvironmentFile(template: Self.template)
        try broken.set("CHAT_INTERNAL_KEY", to: "secret")
        #expect(throws: StackError("CHAT_INTERNAL_KEY is no private key in base64url")) { try broken.generateSecrets() }
    }

    /// After each step programs of the step before call those of the step after, and the other way round.
    @Test(arguments: [ProgramName.allCases, [.chat], [.payments]])
    func steps_refuseNoCall(programs: [ProgramName]) throws {
        var files = [try Self.fresh()]
        for step in ["add", "use", "drop"] {
            var file = files[files.endIndex - 1]
            var ring = try InternalKeyRing(file)
            switch step {
            case "add": try ring.add(to: programs)
            case "use": try ring.use(in: programs)
            default: try ring.drop(from: programs)
            }
            try ring.write(to: &file)
            files.append(file)
        }
        for (before, after) in zip(files, files.dropFirst()) {
            #expect(try isAccepted(before, after) && isAccepted(after, before) && isAccepted(after, after))
        }
        #expect(try !isAccepted(files[0], files[3]) && !isAccepted(files[3], files[0]))
        for program in ProgramName.allCases where !programs.contains(program) {
            let name = InternalKeyRing.setting(of: program)
            #expect(files[0].value(of: name) == files[3].value(of: name))
        }
    }

    @Test func stepsOutOfOrder_areRefused() throws {
        var ring = try InternalKeyRing(Self.fresh())
        let one = StackError("chat has one key; begin with `stack keys add`")
        #expect(throws: one) { try ring.use(in: [.chat]) }
        #expect(throws: one) { try ring.drop(from: [.chat]) }
        try ring.add(to: [.chat])
        #expect(throws: StackError("chat has two keys; go on with `stack keys use` or `stack keys drop`")) {
            try ring.add(to: [.chat])
        }
        #expect(throws: StackError("there is no GATEWAY_INTERNAL_KEY; `stack init` writes a new file with all keys")) {
            try InternalKeyRing(EnvironmentFile(template: Self.template))
        }
    }

    private func run(_ words: String..., in folder: String) async throws -> (isSuccess: Bool, text: String) {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: Arguments(["keys"] + words + ["--in", folder]),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    @Test(.folder) func command_editsFile() async throws {
        let folder = TemporaryFolder.current
        let path = "\(folder.path)/.env"
        let nothing = try await run("add", in: folder.path)
        #expect(!nothing.isSuccess && nothing.text.contains("\(path) cannot be read"))

        let file = try Self.fresh()
        try file.create(at: path)
        let added = try await run("add", "chat", in: folder.path)
        #expect(added.isSuccess && added.text.contains("chat: uses ") && added.text.contains(", accepts "))
        #expect(added.text.contains("docker compose up --detach\nThen: stack keys use chat\n"))
        let text = folder.text(".env")
        #expect(text.contains("MADANG_ENV=production\n") && text.contains("\n#RATE_ADDRESS=1000\n"))
        let old = try #require(file.value(of: "CHAT_INTERNAL_KEY"))
        #expect(text.contains("\nCHAT_INTERNAL_KEY=\(old),"))
        #expect(!added.text.contains(old))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)

        #expect(try await run("use", "chat", in: folder.path).isSuccess)
        let listed = try await run("list", in: folder.path)
        #expect(listed.text.split(separator: "\n").count == ProgramName.allCases.count)
        let dropped = try await run("drop", "chat", in: folder.path)
        #expect(dropped.isSuccess && !dropped.text.contains("accepts"))
        #expect(!folder.text(".env").contains(old))
        let again = try await run("drop", "chat", in: folder.path)
        #expect(!again.isSuccess && again.text.contains("chat has one key; begin with `stack keys add`"))
    }
}
