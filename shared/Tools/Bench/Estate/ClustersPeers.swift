import Clustering
import FoundationEssentials
import StackKit
import Subprocess
import SystemPackage

/// The results of Python's libraries for the same points.
struct ClustersPeers {
    var best: (name: String, seconds: Double)
    var treeWeight: Double
    var exact: [Int]
    var fast: [Int]

    private struct Answer: Decodable {
        var exact: Double
        var fast: Double
        var treeWeight: Double
    }

    /// nil if they are not installed.
    init?(_ points: [Point], _ bench: BenchContext) async throws {
        let name = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"
        guard let python = name.hasPrefix("/") ? name : Executables.find(name) else { return nil }
        let script = "\(bench.scratch)/peers.py"
        try Data(PackageResources.hdbscan_peers_py).write(to: URL(filePath: script))
        let file = points.flatMap { [$0.x, $0.y] }.withUnsafeBytes { Data($0) }
        try file.write(to: URL(filePath: "\(bench.scratch)/points"))
        let check = try await Subprocess.run(
            .path(FilePath(python)),
            arguments: ["-c", "import hdbscan, fast_hdbscan"],
            output: .discarded,
            error: .discarded
        )
        guard check.terminationStatus.isSuccess else { return nil }
        let result = try await Subprocess.run(
            .path(FilePath(python)),
            arguments: [script, "\(bench.scratch)/points", bench.scratch],
            output: .string(limit: 1 << 16),
            error: .discarded
        )
        guard let text = result.standardOutput.split(separator: "\n").last,
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        else { throw StackError("hdbscan and fast_hdbscan did not answer") }
        best =
            answer.exact < answer.fast
            ? ("hdbscan, exact", answer.exact) : ("fast_hdbscan", answer.fast)
        treeWeight = answer.treeWeight
        exact = try Self.labels("\(bench.scratch)/exact.labels")
        fast = try Self.labels("\(bench.scratch)/fast.labels")
    }

    private static func labels(_ path: String) throws -> [Int] {
        try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)))
            }
        }
    }
}
