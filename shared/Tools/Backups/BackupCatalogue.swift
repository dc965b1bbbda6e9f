import FoundationEssentials
import StackKit

/// The backups of a place.
package struct BackupCatalogue: Sendable {
    /// The complete ones, oldest first.
    package let backups: [BackupManifest]
    /// The ids of those that were interrupted.
    let unfinished: [String]

    package init(of place: some BackupPlace) async throws {
        var backups: [BackupManifest] = []
        var unfinished: [String] = []
        let names = try await place.names(below: PlaceNames.backups)
        for id in Set(names.compactMap { $0.split(separator: "/").dropFirst().first }).sorted() {
            let name = "\(PlaceNames.backup(String(id)))/\(BackupManifest.name)"
            if let bytes = try await place.get(name) {
                backups.append(try Self.manifest(bytes, name))
            } else {
                unfinished.append(String(id))
            }
        }
        self.backups = backups
        self.unfinished = unfinished
    }

    /// The backup to begin with.
    ///
    /// - Parameter target: nil for the last archived moment.
    /// - Throws: `StackError` if no backup had ended by then.
    func backup(for target: Date?, in place: String) throws -> BackupManifest {
        guard let first = backups.first, let last = backups.last else {
            throw StackError("\(place) has no backup; choose the place that has: --from, or BACKUP_TO")
        }
        guard let target else { return last }
        guard let backup = backups.last(where: { $0.ended <= target }) else {
            throw StackError(
                "the first backup in \(place) ended at \(BackupTime.text(first.ended)), after \(BackupTime.text(target)); "
                    + "choose a later time"
            )
        }
        return backup
    }

    static func encode(_ manifest: BackupManifest) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try Array(encoder.encode(manifest))
    }

    private static func manifest(_ bytes: [UInt8], _ name: String) throws -> BackupManifest {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let manifest = try? decoder.decode(BackupManifest.self, from: Data(bytes)) else {
            throw StackError("\(name) cannot be read; delete its folder to do without that backup")
        }
        return manifest
    }
}
