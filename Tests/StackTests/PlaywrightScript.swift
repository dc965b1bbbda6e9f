import FoundationEssentials
import Subprocess
import SystemPackage
import Testing

/// A script of `Tests/Interoperability` that drives Chromium.
enum PlaywrightScript {
    static let installation: Comment =
        "Chromium or Playwright is not installed: apt-get install chromium fonts-noto-cjk; pip install playwright"

    static func isInstalled() async -> Bool {
        let script = "import shutil, playwright.sync_api; assert shutil.which('chromium')"
        return (try? await python(["-c", script], [:]).isSuccess) ?? false
    }

    static func run(_ name: String, _ variables: [String: String]) async throws
        -> (isSuccess: Bool, text: String)
    {
        try await python(["Tests/Interoperability/\(name)"], variables)
    }

    /// Runs the Python of `make interop`.
    private static func python(_ arguments: [String], _ variables: [String: String]) async throws
        -> (isSuccess: Bool, text: String)
    {
        let environment = ProcessInfo.processInfo.environment["INTEROP_PYTHON"]
        let candidates = [environment, ".local/interop/bin/python"].compactMap(\.self)
        let python = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
        let pairs = variables.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let result = try await Subprocess.run(
            python.map { .path(FilePath($0)) } ?? .name("python3"),
            arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: pairs)),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }
}
