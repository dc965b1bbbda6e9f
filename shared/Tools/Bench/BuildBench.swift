import FoundationEssentials
import Glibc
import StackKit
import Subprocess
import SystemPackage

/// The duration of `make build` and `make test` on a clean clone, and after a change of one file of a service.
///
/// The reference is the largest C++ file of BoringSSL, compiled in the same run, which indicates the current speed of
/// the machine.
struct BuildBench: BenchSuite {
    let name = "build"
    let summary = "cold and warm build and tests of a clean clone; takes half an hour"
    let tools = [BenchTool(command: "git", package: "git"), BenchTool(command: "make", package: "make")]
    let runsWhenNamedOnly = true

    /// The cost of a command, in seconds.
    private struct Cost {
        var wall: Double
        var processor: Double
    }

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        let clone = "\(bench.scratch)/clone"
        _ = try await cost("git", "clone", "--quiet", ".", clone, in: nil)
        bench.report("make build")
        let build = try await cost("make", "build", in: clone)
        let file = "\(clone)/.build/checkouts/swift-crypto/Sources/CCryptoBoringSSL"
        bench.report("the yardstick")
        let yardstick = try await cost(
            "clang",
            "-O2",
            "-g",
            "-std=c++17",
            "-w",
            "-I",
            "\(file)/include",
            "-c",
            "\(file)/crypto/fipsmodule/bcm.cc",
            "-o",
            "\(bench.scratch)/bcm.o",
            in: clone
        )
        bench.report("make test")
        let test = try await cost("make", "test", in: clone)
        bench.report("make build after a change of one file")
        try change("\(clone)/services/Seats/SeatsDomain.swift")
        let rebuild = try await cost("make", "build", in: clone)
        bench.report("make test ONLY=SeatsTests after a change of one file")
        try change("\(clone)/services/Seats/SeatsDomain.swift")
        let retest = try await cost("make", "test", "ONLY=SeatsTests", in: clone)
        let unit = BenchResult.Yardstick(name: "bcm.cc of BoringSSL by clang -O2 -g", value: yardstick.processor)
        // The bounds are 8, 10 and 16 minutes, 25 and 60 seconds on a machine that compiles the file in 20.8 s.
        return [
            BenchResult(name: "make build", unit: "s", ours: build.wall, yardstick: unit, goal: .ratioAtMost(23)),
            BenchResult(
                name: "make build, processor time",
                unit: "s",
                ours: build.processor,
                yardstick: unit,
                goal: .ratioAtMost(46)
            ),
            BenchResult(name: "then make test", unit: "s", ours: test.wall, yardstick: unit, goal: .ratioAtMost(29)),
            BenchResult(name: "then make test, processor time", unit: "s", ours: test.processor, yardstick: unit),
            BenchResult(
                name: "make build after one file",
                unit: "s",
                ours: rebuild.wall,
                yardstick: unit,
                goal: .ratioAtMost(1.2)
            ),
            BenchResult(
                name: "make test ONLY=SeatsTests after one file",
                unit: "s",
                ours: retest.wall,
                yardstick: unit,
                goal: .ratioAtMost(2.9)
            ),
        ]
    }

    /// Adds a declaration, so that the module changes.
    private func change(_ path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let name = "changed\(UInt32.random(in: 0 ... .max))"
        try Data((text + "\nfunc \(name)() -> Int { 1 }\n").utf8).write(to: URL(filePath: path))
    }

    private func cost(_ command: String..., in folder: String?) async throws -> Cost {
        let (start, spent) = (ContinuousClock.now, Self.processorTimeOfChildren)
        let result = try await Subprocess.run(
            .name(command[0]),
            arguments: Arguments(Array(command.dropFirst())),
            // A build folder set in the environment belongs to this tree, not to the clone.
            environment: .inherit.updating(["BUILD_DIR": nil]),
            workingDirectory: folder.map { FilePath($0) },
            output: .string(limit: 1 << 24),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError("\(command.joined(separator: " ")) failed: \(result.standardOutput.suffix(2000))")
        }
        return Cost(
            wall: (ContinuousClock.now - start) / .seconds(1),
            processor: Self.processorTimeOfChildren - spent
        )
    }

    /// The processor time of exited children and their descendants, in seconds (getrusage(2)).
    private static var processorTimeOfChildren: Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }
}
