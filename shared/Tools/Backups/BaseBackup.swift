import Crypto
import FoundationEssentials
import Postgres
import StackKit
import Subprocess

/// Takes a base backup: `pg_basebackup` writes a compressed tar file, which is stored in pieces.
package struct BaseBackup: Sendable {
    let source: BackupSource
    let place: any BackupPlace
    /// Is called about every two seconds with the progress.
    let report: @Sendable (String) -> Void

    private static let pieceBytes = 32 << 20

    package init(source: BackupSource, place: any BackupPlace, report: @escaping @Sendable (String) -> Void) {
        self.source = source
        self.place = place
        self.report = report
    }

    /// Takes a backup of the database and its files, and then removes those that are no longer needed.
    ///
    /// - Parameters:
    ///   - files: The files of services.
    ///   - days: For how many days any second can be restored afterwards.
    package func take(files: FileArchive, keep days: Int) async throws -> BackupManifest {
        let (cluster, history, size) = try await source.withClient { client in
            (
                try await client.cluster(),
                try await LogHistory.current(client)?.name,
                try await client.one("SELECT sum(pg_database_size(oid))::bigint FROM pg_database") {
                    try $0.decode(Int64.self)
                }
            )
        }
        try await place.claim(for: cluster)
        let began = Date.now
        let id = BackupTime.name(began)
        let (pieces, messages) = try await copy(to: PlaceNames.backup(id), of: Int(size))
        guard let (start, timeline) = Self.start(in: messages) else {
            throw StackError("pg_basebackup did not say where the backup starts: \(messages.suffix(400))")
        }
        let manifest = BackupManifest(
            id: id,
            history: history,
            began: began,
            ended: BackupTime.roundedUp(.now),
            start: start,
            timeline: timeline,
            size: Int(size),
            pieces: pieces,
            password: source.password
        )
        try await files.copy()
        let catalogue = try await BackupCatalogue(of: place)
        let list = try await files.list(besides: catalogue.backups)
        try await place.put(
            Array(list.joined(separator: "\n").utf8),
            as: "\(manifest.folder)/\(BackupManifest.filesName)"
        )
        try await place.put(BackupCatalogue.encode(manifest), as: "\(manifest.folder)/\(BackupManifest.name)")
        try await Retention(place: place, days: days).prune(files: files)
        return manifest
    }

    /// - Returns: The SHA-256 of the pieces, and what pg_basebackup printed.
    private func copy(to folder: String, of size: Int) async throws -> (pieces: [String], messages: String) {
        let result = try await Subprocess.run(
            source.program("pg_basebackup"),
            arguments: Arguments(
                source.connection + [
                    "--pgdata=-", "--format=tar", "--wal-method=fetch", "--compress=client-gzip:1", "--checkpoint=fast",
                    "--no-sync", "--verbose", "--label=madang",
                ]
            ),
            environment: source.environment,
            platformOptions: source.platformOptions,
            input: .none,
            output: .sequence,
            error: .string(limit: 1 << 16)
        ) { program in
            var pieces: [String] = []
            var piece: [UInt8] = []
            var (stored, reported) = (0, ContinuousClock.now)
            func store() async throws {
                try await place.put(piece, as: "\(folder)/\(BackupManifest.piece(pieces.count))")
                pieces.append(Self.checksum(piece))
                stored += piece.count
                piece.removeAll(keepingCapacity: true)
            }
            for try await buffer in program.standardOutput {
                buffer.withUnsafeBytes { piece += $0 }
                if piece.count >= Self.pieceBytes { try await store() }
                if ContinuousClock.now - reported > .seconds(2) {
                    reported = .now
                    report("\((stored + piece.count) >> 20) MB stored of a database of \(size >> 20) MB")
                }
            }
            if !piece.isEmpty { try await store() }
            return pieces
        }
        guard result.terminationStatus.isSuccess else {
            throw StackError("the base backup failed: \(Self.lastLine(of: result.standardError))")
        }
        let messages = result.standardError
        return (result.closureResult, messages)
    }

    static func checksum(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The position that `pg_basebackup --verbose` prints: `write-ahead log start point: 0/2000028 on timeline 1`.
    static func start(in messages: String) -> (position: String, timeline: Int)? {
        guard let match = messages.firstMatch(of: /start point: ([0-9A-F]+\/[0-9A-F]+) on timeline (\d+)/),
            let timeline = Int(match.2)
        else { return nil }
        return (String(match.1), timeline)
    }

    static func lastLine(of text: String) -> String {
        text.split(separator: "\n").last.map(String.init) ?? "it printed nothing"
    }
}
