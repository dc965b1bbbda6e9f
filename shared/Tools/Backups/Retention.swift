import FoundationEssentials

/// Deletes what no moment of the retention needs.
struct Retention: Sendable {
    let place: any BackupPlace
    /// For how many days any second can be restored.
    let days: Int

    /// Deletes backups that are older than the last one before the retention, interrupted ones, the write-ahead log
    /// that only they need, and files that only they keep. No other backup may be taken meanwhile.
    func prune(files: FileArchive, now: Date = .now) async throws {
        let catalogue = try await BackupCatalogue(of: place)
        let start = now.addingTimeInterval(-Double(days) * 86_400)
        let kept = Array(catalogue.backups.drop { $0.id < catalogue.backups.last { $0.ended <= start }?.id ?? "" })
        let ids = Set(kept.map(\.id))
        for backup in catalogue.backups.map(\.id) + catalogue.unfinished where !ids.contains(backup) {
            // The manifest goes first: what is left of an interrupted deletion is no backup.
            try await place.delete("\(PlaceNames.backup(backup))/\(BackupManifest.name)")
            for name in try await place.names(below: PlaceNames.backup(backup)) { try await place.delete(name) }
        }
        for name in try await place.names(below: PlaceNames.logs) {
            let parts = name.split(separator: "/").map(String.init)
            guard parts.count >= 3, LogName.isSegment(parts[2]) else { continue }
            let first = kept.filter { $0.history == parts[1] }.map(\.firstLog).min()
            // Without its timeline: segments are numbered on across timelines.
            if let first, parts[2].dropFirst(8) >= first.dropFirst(8) { continue }
            try await place.delete(name)
        }
        try await files.prune(keeping: kept)
    }
}
