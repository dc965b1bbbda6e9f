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
        let (switched, rebuild) = try await costAfterOneFile("make", "build", in: clone, bench)
        let (switchedTest, retest) = try await costAfterOneFile("make", "test", "ONLY=SeatsTests", in: clone, bench)
        let unit = BenchResult.Yardstick(name: "bcm.cc of BoringSSL by clang -O2 -g", value: yardstick.processor)
        func result(_ name: String, _ seconds: Double, atMost goal: Double? = nil) -> BenchResult {
            BenchResult(name: name, unit: "s", ours: seconds, yardstick: unit, goal: goal.map { .atMost($0) })
        }
        return [
            result("make build", build.wall, atMost: 480),
            result("make build, processor time", build.processor, atMost: 960),
            result("then make test", test.wall, atMost: 600),
            result("then make test, processor time", test.processor),
            result("make build without a change, after another command", switched.wall),
            result("make build after one file", rebuild.wall, atMost: 25),
            result("make test ONLY=SeatsTests without a change, after another command", switchedTest.wall),
            result("make test ONLY=SeatsTests after one file", retest.wall, atMost: 60),
        ]
    }

    /// - Returns: the cost of a command after another one, which SwiftPM plans again, and after a change of one file of a
    ///   service then.
    private func costAfterOneFile(
        _ command: String...,
        in clone: String,
        _ bench: BenchContext
    ) async throws -> (first: Cost, changed: Cost) {
        bench.report("\(command.joined(separator: " ")) after a change of one file")
        let first = try await cost(command, in: clone)
        try change("\(clone)/services/Seats/SeatsDomain.swift")
        return (first, try await cost(command, in: clone))
    }

    /// Adds a declaration, so that the module changes.
    private func change(_ path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let name = "changed\(UInt32.random(in: 0 ... .max))"
        try Data((text + "\nfunc \(name)() -> Int { 1 }\n").utf8).write(to: URL(filePath: path))
    }

    private func cost(_ command: String..., in folder: String?) async throws -> Cost {
        try await cost(command, in: folder)
    }

    private func cost(_ command: [String], in folder: String?) async throws -> Cost {
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
