import FoundationEssentials
import PostgresServer
import StackKit
import Subprocess
import SystemPackage

/// The duration of `stack up`, and the memory of an idle installation.
///
/// The suite runs `stack` itself, in its own folder and on its own ports, so that a running installation is not
/// affected.
struct StartBench: BenchSuite {
    let name = "start"
    let summary = "start to healthy and seeded, and idle memory"
    let tools: [BenchTool] = []

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let programs = try Programs(environment: [:])
        let folder = LocalFolder(path: "\(bench.scratch)/local")
        var environment: [String: String] = [:]
        for (port, number) in zip(programs.all.flatMap(\.ports), try FreePort.find(programs.all.flatMap(\.ports).count))
        {
            environment[port.variable] = String(number)
        }
        do {
            bench.report("first start, with a new database")
            let first = try await time("up", folder, environment, bench)
            bench.report("waiting until all processes are idle")
            try await Task.sleep(for: .seconds(3))
            let memory = programs.all.compactMap { folder.pidFile(of: $0.name).process }
                .compactMap { ProcessMemory.ofTree($0.pid) }
            _ = try await time("down", folder, environment, bench)
            bench.report("second start")
            let second = try await time("up", folder, environment, bench)
            _ = try await time("down", folder, environment, bench)
            return [
                BenchResult(name: "first start, new database", unit: "s", ours: first, goal: .atMost(10)),
                BenchResult(name: "start again", unit: "s", ours: second, goal: .atMost(10)),
                BenchResult(
                    name: "idle memory of \(memory.count) processes",
                    unit: "MB",
                    ours: Double(memory.reduce(0, +)) / 1_048_576,
                    goal: .atMost(150)
                ),
            ]
        } catch {
            _ = try? await time("down", folder, environment, bench)
            throw error
        }
    }

    /// The duration of a `stack` command, in seconds.
    private func time(
        _ verb: String,
        _ folder: LocalFolder,
        _ ports: [String: String],
        _ bench: BenchContext
    ) async throws -> Double {
        let variables = ports.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let start = ContinuousClock.now
        let result = try await Subprocess.run(
            .path(FilePath("\(bench.executables)/stack")),
            arguments: [verb, "--local", folder.path],
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError("stack \(verb) failed: \(result.standardOutput)")
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
