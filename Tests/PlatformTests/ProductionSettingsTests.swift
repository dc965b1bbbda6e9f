import Configuration
import Crypto
import FoundationEssentials
import ServiceKit
import StackKit
import Subprocess
import SystemPackage
import Testing

/// What `stack init` writes, as compose passes it to the programs and these read it.
@Suite struct ProductionSettingsTests {
    /// The gateway starts without them.
    private static let dispensable: Set = ["TRUSTED_PROXIES"]

    private static func fresh() throws -> EnvironmentFile {
        var file = EnvironmentFile(template: try Repository.text(".env.example"))
        try file.generateSecrets()
        return file
    }

    /// The variables of an `.env`, as compose reads them.
    private static func variables(_ file: EnvironmentFile) -> [String: String] {
        let pairs = file.text.matches(of: /(?m)^([A-Z][A-Z0-9_]*)=(?:'([^']*)'|(.*))$/).map {
            (String($0.1), String($0.2 ?? $0.3 ?? ""))
        }
        return Dictionary(pairs) { $1 }
    }

    /// The names in what the programs say about their settings, by program.
    private static func problems(_ variables: [String: String]) throws -> [String: Set<String>] {
        let compose = try ComposeFile()
        var problems: [String: Set<String>] = [:]
        for (program, read) in ProgramSettings.readers where program != "sandbox" {
            let environment = try compose.environment(of: program, with: variables)
            let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: environment))
            do {
                try Settings.read(from: reader, read)
                problems[program] = []
            } catch let error as SettingsError {
                problems[program] = Set(error.problems.map { String($0.prefix { $0 != " " }) })
            }
        }
        return problems
    }

    @Test func completeFile_isAcceptedByEveryProgram() throws {
        var file = try Self.fresh()
        let values = [
            "PUBLIC_URL": "https://api.example.com", "TRUSTED_PROXIES": "172.16.0.0/12, ::1",
            "APPLE_PRIVATE_KEY": P256.Signing.PrivateKey().pemRepresentation,
            "KAKAO_APP_IDS": "moup=1234,withsuhyeon=5678",
        ]
        for setting in file.missing { try file.set(setting.name, to: values[setting.name] ?? "a word &c. $1 #2") }
        #expect(file.missing == [])
        let problems = try Self.problems(Self.variables(file))
        #expect(problems.count == 10)
        #expect(problems.filter { !$0.value.isEmpty } == [:])
    }

    @Test func freshFile_namesWhatProgramsLack() throws {
        let file = try Self.fresh()
        let problems = try Self.problems(Self.variables(file))
        let lacking = Set(problems.values.joined())
        #expect(lacking == Set(file.missing.map(\.name)).subtracting(Self.dispensable))
        #expect(problems["gateway"] == [] && problems["workforce"] == [] && problems["chat"] == [])
        #expect(problems["console"] == [])
        for setting in file.missing { #expect(!setting.explanation.isEmpty, "\(setting.name)") }
    }

    @Test func freshFiles_shareNoSecret() throws {
        let files = try [Self.fresh(), Self.fresh()].map(Self.variables)
        let secrets = files.flatMap { file in
            file.values.filter { $0.wholeMatch(of: /[0-9a-f]{64}|[A-Za-z0-9_-]{43}/) != nil }
        }
        // 14, and a key of each program.
        #expect(secrets.count == 2 * (14 + 11))
        #expect(Set(secrets).count == secrets.count)
    }

    @Test func defaultsOfCompose_areRefusedInProduction() throws {
        for (program, problems) in try Self.problems(["MADANG_ENV": "production"]) {
            #expect(problems.isSuperset(of: ["INTERNAL_KEY", "INTERNAL_PUBLIC_KEYS"]), "\(program)")
            #expect(problems.contains(program == "gateway" ? "ANLAKA_KEYS" : "DATABASE_URL"), "\(program)")
        }
    }

    @Test(arguments: [nil, "", "postgres", "0123456789abcde", "0123456789abcdef"])
    func database_refusesGuessablePasswordInProduction(password: String?) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "postgres-start-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Stands in for the program of the image that starts the server: it prints its arguments.
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "docker-entrypoint.sh").path,
            withDestinationPath: "/bin/echo"
        )
        let settings = "-c wal_level=logical -c shared_buffers=\(Machine.current.sharedBuffers)"
        for environment in ["production", "development"] {
            var variables: [Environment.Key: String] = ["PATH": folder.path, "MADANG_ENV": environment]
            variables["POSTGRES_PASSWORD"] = password
            let result = try await run(
                .path("/bin/sh"),
                arguments: [Repository.root.appending(path: "deploy/postgres/start.sh").path],
                environment: .custom(variables),
                output: .string(limit: 4096),
                error: .string(limit: 4096)
            )
            let isRefused = environment == "production" && (password?.utf8.count ?? 0) < 16
            #expect(result.terminationStatus.isSuccess == !isRefused)
            #expect(result.standardOutput == (isRefused ? "" : "postgres \(settings)\n"))
            #expect(result.standardError.contains("POSTGRES_PASSWORD must be set") == isRefused)
        }
    }
}
