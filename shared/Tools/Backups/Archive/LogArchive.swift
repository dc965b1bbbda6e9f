import FoundationEssentials
import StackKit
import Subprocess
import Synchronization

/// Receives a history of the write-ahead log into its place: directly if that is a folder, or else into a spool folder,
/// from which it is uploaded.
final class LogArchive: Sendable {
    let history: LogHistory
    private let place: any BackupPlace
    private let directory: String
    private let isSpool: Bool
    /// The segment that is still written, and how much of it this instance has uploaded.
    private let uploaded = Mutex(Part(segment: "", bytes: 0))
    /// A part of the name of what this instance uploads: what an earlier one has uploaded may be longer, and stays.
    private let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)

    /// Parts of a segment begin at multiples of it.
    private static let block = 64 << 10

    private struct Part {
        var segment: String
        var bytes: Int
    }

    init(history: LogHistory, place: any BackupPlace, spool: String) throws {
        self.history = history
        self.place = place
        let path = place.path(of: PlaceNames.log(history.name))
        directory = path ?? "\(spool)/\(history.name)"
        isSpool = path == nil
        try LocalFiles.makeFolder(directory)
    }

    /// Receives until the task is cancelled.
    ///
    /// - Throws: `StackError` when the server ends the connection, or the folder cannot be written.
    func receive(from source: BackupSource) async throws {
        let result = try await Subprocess.run(
            source.program("pg_receivewal"),
            arguments: Arguments(
                source.connection + [
                    "--directory=\(directory)", "--slot=\(history.slot)", "--synchronous", "--no-loop",
                    "--status-interval=1",
                ]
            ),
            environment: source.environment,
            platformOptions: source.platformOptions,
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        try Task.checkCancellation()
        throw StackError("pg_receivewal ended: \(BaseBackup.lastLine(of: result.standardError))")
    }

    /// Uploads what was received since the last call: complete segments as a whole, and of the one that is still written
    /// the new bytes, as `SEGMENT.partial/OFFSET-RUN`. The offsets are multiples of 64 KB, so that there are few.
    ///
    /// - Parameter position: The end of what was received, in bytes. What is behind it may be half written.
    func upload(upTo position: Int64) async throws {
        guard isSpool else { return }
        for name in try LocalFiles.names(below: directory) where LogName.isArchived(name) {
            let segment = name.replacing(LogName.partial, with: "")
            if name != segment, try await uploadPart(of: segment, upTo: position) { continue }
            // It is complete, perhaps since the names were read.
            try await uploadWhole(segment)
        }
    }

    private func uploadWhole(_ name: String) async throws {
        guard let bytes = try LocalFiles.bytes(of: "\(directory)/\(name)") else { return }
        let object = "\(PlaceNames.log(history.name))/\(name)"
        try await place.put(bytes, as: object)
        for part in try await place.names(below: object + LogName.partial) { try await place.delete(part) }
        try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }

    /// - Returns: False if the segment is complete.
    private func uploadPart(of segment: String, upTo position: Int64) async throws -> Bool {
        let start = Int64(LogName.number(segment)) * Int64(LogName.bytes)
        let end = Int(min(max(position - start, 0), Int64(LogName.bytes)))
        let last = uploaded.withLock { $0 }
        let known = last.segment == segment ? last.bytes : 0
        guard end > known else { return true }
        let offset = known / Self.block * Self.block
        let name = segment + LogName.partial
        guard let bytes = try LocalFiles.bytes(of: "\(directory)/\(name)", in: offset..<end) else { return false }
        try await place.put(bytes, as: "\(PlaceNames.log(history.name))/\(name)/\(offset)-\(run)")
        uploaded.withLock { $0 = Part(segment: segment, bytes: end) }
        return true
    }
}
