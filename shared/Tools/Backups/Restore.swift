package import FoundationEssentials
package import PostgresServer
package import StackKit

/// Restores a server that is stopped, and its files.
package struct Restore: Sendable {
    let place: any BackupPlace
    let server: PostgresServer
    let files: FileArchive
    /// Is called with the progress, about every two seconds.
    let report: @Sendable (String) -> Void

    /// What was restored.
    package struct Outcome: Sendable {
        package var backup: BackupManifest
        /// The moment that was restored.
        package var moment: Date
        /// The number of files that were missing.
        package var files: Int
        /// The directory of the former cluster; nil if there was none.
        package var former: String?
    }

    /// - Parameter files: `FILES_DIR`.
    package init(
        place: any BackupPlace,
        server: PostgresServer,
        files: String,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.place = place
        self.server = server
        self.files = FileArchive(folder: files, place: place)
        self.report = report
    }

    /// Restores the server beside its directory, and takes its place when it has recovered.
    ///
    /// - Parameters:
    ///   - target: The moment whose state is restored; nil for the last archived one.
    ///   - folder: Where the server and the files are, to see what is free there.
    /// - Throws: `StackError` or `PostgresServerError`; nothing is changed then.
    package func run(to target: Date?, in folder: LocalFolder) async throws -> Outcome {
        if server.isRunning { throw StackError("Madang is running; stop it first: stack down") }
        if let target, target > .now {
            throw StackError("\(BackupTime.text(target)) has not been; choose an earlier time")
        }
        let backup = try await BackupCatalogue(of: place).backup(for: target, in: place.description)
        let log = try await backup.history.asyncMap { try await ArchivedLog(of: $0, in: place) }
        let end = max(try await log?.end(binaries: server.binaries) ?? backup.ended, backup.ended)
        if let target, target > end {
            throw StackError(
                "what is archived after backup \(backup.id) ends at \(BackupTime.text(end)); choose that time or an "
                    + "earlier one, or leave out --to"
            )
        }
        let segments = (log?.segments ?? []).filter { $0.dropFirst(8) >= backup.firstLog.dropFirst(8) }
        try Self.checkGapless(segments, from: backup)
        try folder.prepare(leastFree: UInt64(backup.size + (segments.count + 16) * LogName.bytes))

        let restored = try server.restoring(to: target.map(BackupTime.sql))
        do {
            try await fetch(backup, log, segments, into: restored)
            report("replaying \(segments.count * LogName.bytes >> 20) MB of the write-ahead log")
            var last = ContinuousClock.now
            try await restored.recover { line in
                guard ContinuousClock.now - last > .seconds(2) else { return }
                last = .now
                report(line)
            }
        } catch {
            try? await restored.stop(.immediate)
            try await restored.remove()
            throw error
        }
        let count = try await files.restore()
        let former = try server.replace(with: restored, at: BackupTime.name(.now))
        return Outcome(backup: backup, moment: target ?? end, files: count, former: former)
    }

    private func fetch(
        _ backup: BackupManifest,
        _ log: ArchivedLog?,
        _ segments: [String],
        into restored: PostgresServer
    ) async throws {
        try await restored.unpack(password: backup.password) { write in
            var reported = ContinuousClock.now
            for (index, checksum) in backup.pieces.enumerated() {
                let name = "\(backup.folder)/\(BackupManifest.piece(index))"
                guard let piece = try await place.get(name), BaseBackup.checksum(piece) == checksum else {
                    throw StackError(
                        "\(name) in \(place.description) is damaged; choose a time before backup \(backup.id)"
                    )
                }
                try await write(piece)
                if ContinuousClock.now - reported > .seconds(2) {
                    reported = .now
                    report("\(index + 1) of \(backup.pieces.count) pieces of backup \(backup.id) unpacked")
                }
            }
        }
        guard let log else { return }
        for segment in segments where log.isComplete(segment) || !restored.hasLog(segment) {
            try restored.put(log: segment, await log.bytes(of: segment))
        }
        for name in log.timelines { try restored.put(log: name, await log.bytes(ofTimeline: name)) }
    }

    /// - Throws: `StackError` if a segment is missing: the log could not be replayed beyond.
    private static func checkGapless(_ segments: [String], from backup: BackupManifest) throws {
        let numbers = segments.map(LogName.number)
        for (number, next) in zip(numbers, numbers.dropFirst()) where next > number + 1 {
            throw StackError(
                "the write-ahead log after \(LogName.segment(timeline: backup.timeline, number: number)) is missing, so "
                    + "nothing later can be restored from backup \(backup.id); choose another place: --from"
            )
        }
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
