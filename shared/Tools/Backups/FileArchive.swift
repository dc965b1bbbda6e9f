import FoundationEssentials
import Glibc
import Synchronization

/// Copies the files of services to a place. A file never changes, since its name is the hash of its content, so each is
/// copied once.
package final class FileArchive: Sendable {
    private let folder: String
    private let place: any BackupPlace
    private let state = Mutex(State())

    private struct State {
        /// The names of the files in the place; nil before they are known.
        var copied: Set<String>?
        /// When folders were changed that have been copied.
        var changes: [String: Int] = [:]
    }

    /// - Parameter folder: `FILES_DIR`, which has `SERVICE/ab/cdef…`. It may not exist.
    package init(folder: String, place: any BackupPlace) {
        self.folder = folder
        self.place = place
    }

    /// Copies what is new. Folders that have not changed since the last call are not read.
    package func copy() async throws {
        var copied = try await copied()
        for (folder, change) in subfolders where state.withLock({ $0.changes[folder] }) != change {
            for name in try LocalFiles.names(below: "\(self.folder)/\(folder)") {
                let file = "\(folder)/\(name)"
                guard !copied.contains(file) else { continue }
                // It may have been deleted meanwhile.
                guard let bytes = try LocalFiles.bytes(of: "\(self.folder)/\(file)") else { continue }
                try await place.put(bytes, as: "\(PlaceNames.files)/\(file)")
                copied.insert(file)
            }
            // The times of folders are only as fine as the kernel's clock: one that was just changed is read again.
            let isOld = Date.now.timeIntervalSince1970 * 1e9 - Double(change) > 2e9
            if isOld { state.withLock { $0.changes[folder] = change } }
        }
        state.withLock { $0.copied = copied }
    }

    /// The files that the next backup keeps: those that services have, and those in the place that no earlier backup
    /// keeps, since they were stored and deleted in between.
    func list(besides earlier: [BackupManifest]) async throws -> [String] {
        let kept = try await kept(by: earlier)
        let present = try subfolders.flatMap { folder, _ in
            try LocalFiles.names(below: "\(self.folder)/\(folder)").map { "\(folder)/\($0)" }
        }
        return try await copied().subtracting(kept).union(present).sorted()
    }

    /// Deletes the copies that no backup keeps.
    func prune(keeping backups: [BackupManifest]) async throws {
        let surplus = try await copied().subtracting(kept(by: backups))
        for file in surplus.sorted() { try await place.delete("\(PlaceNames.files)/\(file)") }
        state.withLock { $0.copied?.subtract(surplus) }
    }

    /// Writes the files back that are missing.
    ///
    /// - Returns: Their number.
    func restore() async throws -> Int {
        var count = 0
        for file in try await copied() where !FileManager.default.fileExists(atPath: "\(folder)/\(file)") {
            guard let bytes = try await place.get("\(PlaceNames.files)/\(file)") else { continue }
            try LocalFiles.write(bytes, to: "\(folder)/\(file)", permissions: 0o640)
            count += 1
        }
        return count
    }

    private func copied() async throws -> Set<String> {
        if let known = state.withLock({ $0.copied }) { return known }
        let names = try await place.names(below: PlaceNames.files)
        let files = Set(names.map { String($0.dropFirst(PlaceNames.files.count + 1)) })
        state.withLock { $0.copied = files }
        return files
    }

    private func kept(by backups: [BackupManifest]) async throws -> Set<String> {
        var files: Set<String> = []
        for backup in backups {
            let bytes = try await place.get("\(backup.folder)/\(BackupManifest.filesName)") ?? []
            files.formUnion(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
        }
        return files
    }

    /// `SERVICE/ab` and when each was changed, in nanoseconds. A folder of files that are being received is none.
    private var subfolders: [(folder: String, change: Int)] {
        let files = FileManager.default
        func names(_ path: String) -> [String] { ((try? files.contentsOfDirectory(atPath: path)) ?? []).sorted() }
        let parts = names(folder).flatMap { service in
            names("\(folder)/\(service)").filter { $0.count == 2 }.map { "\(service)/\($0)" }
        }
        return parts.compactMap { part in
            var status = stat()
            guard stat("\(folder)/\(part)", &status) == 0 else { return nil }
            return (part, status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
    }
}
