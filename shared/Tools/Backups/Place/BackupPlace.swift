import StackKit

/// Where backups are kept: a folder or a bucket. Objects have at most 64 MB and are written as a whole: an object that is
/// found is complete.
package protocol BackupPlace: Sendable {
    /// The place, for messages.
    var description: String { get }

    /// Writes or replaces an object.
    ///
    /// - Throws: `StackError` if the place cannot be written.
    func put(_ bytes: [UInt8], as name: String) async throws
    /// nil if there is no such object.
    func get(_ name: String) async throws -> [UInt8]?
    /// The names of all objects below a folder, in alphabetical order.
    func names(below folder: String) async throws -> [String]
    /// Deletes an object; no effect if it does not exist.
    func delete(_ name: String) async throws
    /// The path of a folder that other programs can write; nil if the place is not on this machine.
    func path(of folder: String) -> String?
}

/// The names of what is in a place.
enum PlaceNames {
    /// The identifier of the database cluster whose backups these are.
    static let cluster = "cluster"
    /// The files of services: `files/estate/ab/cdef…`.
    static let files = "files"
    /// Base backups: `backups/20261125T123456789Z/…`.
    static let backups = "backups"
    /// Write-ahead logs, a folder for each history: `wal/20261125t123456789z/000000010000000000000003`.
    static let logs = "wal"

    static func backup(_ id: String) -> String { "\(backups)/\(id)" }
    static func log(_ history: String) -> String { "\(logs)/\(history)" }
}

extension BackupPlace {
    /// - Throws: `StackError` if the place cannot be written or read.
    package func check() async throws {
        try await put([], as: "check")
        _ = try await names(below: PlaceNames.backups)
        try await delete("check")
    }

    /// Writes the identifier of a cluster if the place is new.
    ///
    /// - Throws: `StackError` if it has backups of another cluster, or cannot be written.
    func claim(for cluster: String) async throws {
        guard let owner = try await get(PlaceNames.cluster) else {
            return try await put(Array(cluster.utf8), as: PlaceNames.cluster)
        }
        guard String(decoding: owner, as: UTF8.self) == cluster else {
            throw StackError(
                "\(description) has the backups of another database; bring that back by `stack restore`, "
                    + "or choose another place for this one: BACKUP_TO=…"
            )
        }
    }
}
