import FoundationEssentials
import StackKit
import Subprocess
import SystemPackage

/// Counts what programs do, in all of their threads, with perf(1). It needs the rights of root.
struct ProgramCounter {
    /// What is counted.
    enum Kind: String, CaseIterable, Sendable {
        case systemCalls = "system calls"
        case switches = "changes of threads"
        case allocations = "allocations"
        case references = "changes of reference counts"

        /// The events of perf that are added up.
        var events: [String] {
            switch self {
            case .systemCalls: ["raw_syscalls:sys_enter"]
            case .switches: ["context-switches"]
            case .allocations: ProgramCounter.allocating.map(ProgramCounter.event)
            case .references: ProgramCounter.counting.map(ProgramCounter.event)
            }
        }
    }

    fileprivate static let allocating = ["malloc", "calloc", "posix_memalign"]
    fileprivate static let counting = [
        "swift_retain", "swift_release", "swift_bridgeObjectRetain", "swift_bridgeObjectRelease",
    ]

    fileprivate static func event(_ function: String) -> String { "madang:\(function)" }

    /// A folder for what tells perf when to end.
    let scratch: String

    /// Makes the functions of a program's libraries countable while `body` runs. A call then takes a microsecond more.
    func withProbes<Value>(in process: Int32, _ body: () async throws -> Value) async throws -> Value {
        let maps = (KernelFile.text("/proc/\(process)/maps") ?? "").split(separator: "\n")
        for (library, functions) in [("libc.so.6", Self.allocating), ("libswiftCore.so", Self.counting)] {
            guard
                let path = maps.lazy.compactMap({ $0.split(separator: " ").last }).first(where: {
                    $0.hasSuffix("/\(library)")
                })
            else { throw StackError("the program does not use \(library)") }
            for function in functions {
                try await perf(["probe", "-q", "-f", "-x", String(path), "\(Self.event(function))=\(function)"])
            }
        }
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        try await perf(["probe", "-q", "--del", "madang:*"])
        return try outcome.get()
    }

    /// What programs do for each of the acts that `body` makes.
    ///
    /// - Parameter body: Returns the number of acts.
    func count(_ kinds: [Kind], in processes: [Int32], each body: () async throws -> Int) async throws -> [Kind: Double]
    {
        let mark = "\(scratch)/counting"
        guard FileManager.default.createFile(atPath: mark, contents: nil) else {
            throw StackError("\(mark) cannot be written")
        }
        let events = kinds.flatMap(\.events).joined(separator: ",")
        let pids = processes.map(String.init).joined(separator: ",")
        let wait = ["sh", "-c", "while [ -e \(mark) ]; do sleep 0.05; done"]
        async let report = perf(["stat", "-x", ";", "-e", events, "-p", pids, "--"] + wait)
        let acts: Int
        do {
            // Until perf has found all threads.
            try await Task.sleep(for: .seconds(1))
            acts = try await body()
            try FileManager.default.removeItem(atPath: mark)
        } catch {
            try? FileManager.default.removeItem(atPath: mark)
            throw error
        }
        let counts = try Self.counts(in: try await report)
        return Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                (kind, Double(kind.events.compactMap { counts[$0] }.reduce(0, +)) / Double(max(acts, 1)))
            }
        )
    }

    /// The number of each event in a report of `perf stat -x ';'`.
    static func counts(in report: String) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in report.split(separator: "\n") {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            guard fields.count > 2 else { continue }
            guard let count = Int(fields[0]) else { throw StackError("perf has not counted \(fields[2])") }
            counts[String(fields[2]), default: 0] += count
        }
        return counts
    }

    @discardableResult
    private func perf(_ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name("perf"),
            arguments: Arguments(arguments),
            output: .string(limit: 1 << 16),
            error: .combinedWithOutput
        )
        guard result.terminationStatus.isSuccess else {
            throw StackError(
                """
                perf \(arguments[0]) failed, which needs root and /sys/kernel/tracing (mount -t tracefs nodev \
                /sys/kernel/tracing): \(result.standardOutput.suffix(400))
                """
            )
        }
        return result.standardOutput
    }
}
