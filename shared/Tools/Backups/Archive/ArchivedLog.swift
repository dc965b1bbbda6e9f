import FoundationEssentials
import StackKit
import Subprocess

/// The segments of one history in a place, from which a server is restored.
struct ArchivedLog: Sendable {
    private let place: any BackupPlace
    private let folder: String
    /// The objects of each segment: itself, its incomplete file, or the parts of that.
    private let objects: [String: [String]]
    /// Files that name the history of timelines.
    let timelines: [String]

    init(of history: String, in place: any BackupPlace) async throws {
        self.place = place
        folder = PlaceNames.log(history)
        let names = try await place.names(below: folder).map { String($0.dropFirst(PlaceNames.log(history).count + 1)) }
        objects = Dictionary(grouping: names.filter(LogName.isSegment)) { String($0.prefix(24)) }
        timelines = names.filter { $0.hasSuffix(LogName.timeline) }
    }

    /// In the order in which they were written.
    var segments: [String] { objects.keys.sorted { ($0.dropFirst(8), $0) < ($1.dropFirst(8), $1) } }

    /// Whether a segment was received as a whole.
    func isComplete(_ segment: String) -> Bool { objects[segment]?.contains(segment) == true }

    /// The bytes of a segment, with zeros where nothing was received.
    func bytes(of segment: String) async throws -> [UInt8] {
        let objects = (objects[segment] ?? []).sorted()
        if let whole = [segment, segment + LogName.partial].first(where: objects.contains) {
            return try await bytes("\(folder)/\(whole)")
        }
        var bytes = [UInt8](repeating: 0, count: LogName.bytes)
        for part in objects {
            let name = part.split(separator: "/").last ?? ""
            guard let start = Int(name.prefix { $0 != "-" }) else { continue }
            let some = try await self.bytes("\(folder)/\(part)")
            guard start >= 0, start + some.count <= bytes.count else { continue }
            bytes.replaceSubrange(start..<start + some.count, with: some)
        }
        return bytes
    }

    func bytes(ofTimeline name: String) async throws -> [UInt8] { try await bytes("\(folder)/\(name)") }

    /// When the last transaction was committed or rolled back; nil if there is none.
    ///
    /// - Parameter binaries: The directory of `pg_waldump`.
    func end(binaries: String) async throws -> Date? {
        for segment in segments.reversed() {
            let scratch = FileManager.default.temporaryDirectory.appending(path: "madang-log-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: scratch) }
            try await LocalFiles.write(bytes(of: segment), to: "\(scratch)/\(segment)", permissions: 0o600)
            // It fails where the log ends, after it has printed all before.
            let script = "\"$1/pg_waldump\" --rmgr=Transaction --path=\"$2\" \"$3\" 2>/dev/null | tail -n 100"
            let result = try await Subprocess.run(
                .name("sh"),
                arguments: ["-c", script, "sh", binaries, scratch, segment],
                environment: .inherit.updating(["TZ": "UTC"]),
                output: .string(limit: 1 << 20),
                error: .discarded
            )
            let times = result.standardOutput.split(separator: "\n").compactMap(Self.time)
            if let last = times.last { return last }
        }
        return nil
    }

    /// The time of a transaction's end: `… desc: COMMIT 2026-11-25 12:46:27.111792 UTC; …`.
    static func time(in line: some StringProtocol) -> Date? {
        let pattern = /desc: (?:COMMIT|ABORT) (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d+) UTC/
        guard let match = String(line).firstMatch(of: pattern) else { return nil }
        return BackupTime.date("\(match.1)T\(match.2)Z")
    }

    private func bytes(_ name: String) async throws -> [UInt8] {
        guard let bytes = try await place.get(name) else {
            throw StackError("\(name) is not in \(place.description) any more; try again")
        }
        return bytes
    }
}
