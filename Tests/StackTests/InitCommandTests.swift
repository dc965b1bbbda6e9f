import FoundationEssentials
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The command itself, in a folder with the template.
@Suite(.folder) struct InitCommandTests {
    private var folder: TemporaryFolder { .current }

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try FileManager.default.copyItem(
            atPath: root.appending(path: ".env.example").path,
            toPath: "\(TemporaryFolder.current.path)/.env.example"
        )
    }

    private func run(_ words: String..., input: String = "") async throws -> (isSuccess: Bool, text: String) {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: Arguments(["init"] + words),
            workingDirectory: FilePath(folder.path),
            input: .string(input),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    @Test func withoutTerminal_asksNothing_andNamesWhatIsLeft() async throws {
        let (isSuccess, text) = try await run("--set", "PUBLIC_URL=https://api.example.com", "--set", "ANLAKA_KEYS=a,b")
        #expect(isSuccess, "\(text)")
        #expect(text.contains("\n  TRUSTED_PROXIES\n  KAKAO_APP_IDS\n"))
        #expect(!text.contains("PUBLIC_URL") && !text.contains("PASSWORD"))
        let written = folder.text(".env")
        for line in ["PUBLIC_URL=https://api.example.com", "ANLAKA_KEYS=a,b", "#KAKAO_APP_IDS=", "#LOG_LEVEL=info"] {
            #expect(written.contains("\n\(line)\n"))
        }
        let secrets = written.matches(of: /(?m)^[A-Z_]+=([0-9a-f]{64}|[A-Za-z0-9_-]{43})$/)
        // 13, and a key of each program.
        #expect(secrets.count == 13 + 11)
        for secret in secrets { #expect(!text.contains(secret.output.1)) }
    }

    @Test func values_areReadFromFileOrInput() async throws {
        let lines = "# Solapi\nSMS_KEY='a key'\r\n\nSMS_SECRET=\"x=y\"\n"
        #expect(try await run("--values", "-", "--set", "SMS_SENDER=0212345678", input: lines).isSuccess)
        let written = folder.text(".env")
        #expect(written.contains("\nSMS_KEY='a key'\nSMS_SECRET=x=y\nSMS_SENDER=0212345678\n"))

        try FileManager.default.removeItem(atPath: "\(folder.path)/.env")
        try Data(lines.utf8).write(to: URL(filePath: "\(folder.path)/values"))
        #expect(try await run("--values", "values").isSuccess)
        #expect(folder.text(".env").contains("\nSMS_KEY='a key'\nSMS_SECRET=x=y\n#SMS_SENDER=\n"))
    }

    /// A former file, without the list of public keys, gets what a program needs that is newer; all else stays.
    @Test func valuesOfFormerFile_areCompletedForNewProgram() async throws {
        #expect(try await run().isSuccess)
        let lines = folder.text(".env").split(separator: "\n").filter { !$0.hasPrefix("#") }
        try FileManager.default.removeItem(atPath: "\(folder.path)/.env")
        let former = lines.filter { !$0.hasPrefix("CONSOLE_") && !$0.hasPrefix("INTERNAL_PUBLIC_KEYS=") }
        #expect(former.count == lines.count - 3)
        #expect(try await run("--values", "-", input: former.joined(separator: "\n")).isSuccess)
        let written = folder.text(".env").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(Set(written).isSuperset(of: former) && written.count == lines.count)
        let others = lines.filter { $0.hasPrefix("INTERNAL_PUBLIC_KEYS=") }.joined().split(separator: ",")
            .filter { !$0.contains("console:") }
        let keys = written.filter { $0.hasPrefix("INTERNAL_PUBLIC_KEYS=") }.joined()
        #expect(others.allSatisfy(keys.contains) && keys.contains("console:"))
    }

    @Test func existingFile_isKept() async throws {
        try Data("MADANG_ENV=production\n".utf8).write(to: URL(filePath: "\(folder.path)/.env"))
        let (isSuccess, text) = try await run()
        #expect(!isSuccess && text.contains("./.env exists and is left as it is"), "\(text)")
        #expect(folder.text(".env") == "MADANG_ENV=production\n")
    }

    @Test(arguments: [
        (["--set", "SMS=1"], "there is no setting named SMS"), (["--set", "SMS_KEY"], "write it as NAME=value"),
        (["--set", "SMS_KEY=it's"], "SMS_KEY has a '"), (["--values", "none"], "none cannot be read"),
        (["--in", "/proc"], "/proc/.env.example cannot be read"),
    ])
    func badArgument_isNamed_andWritesNothing(words: [String], sentence: String) async throws {
        let (isSuccess, text) = try await run(words[0], words[1])
        #expect(!isSuccess && text.contains(sentence), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/.env"))
    }

    @Test func badLine_isNamed() async throws {
        let (isSuccess, text) = try await run("--values", "-", input: "SMS_KEY\n")
        #expect(!isSuccess && text.contains("a line of - is not NAME=value"), "\(text)")
    }
}
