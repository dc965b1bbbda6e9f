import FoundationEssentials
import Glibc
import PostgresServer
import StackKit

/// Fills the volume of the database. That is done only to one of its own, such as `SmallVolume`.
struct DiskFaults: Sendable {
    let folder: String

    private static let largest = 8 << 30
    private var filler: String { "\(folder)/filler" }

    /// A sentence if the disk cannot be filled; nil if it can.
    var obstacle: String? {
        let parent = folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)
        let (own, outer) = (Self.device(folder), Self.device(parent.isEmpty ? "/" : String(parent)))
        guard let own, let outer, own != outer else {
            return "\(folder) is no volume of its own, and no other one is filled."
        }
        guard let facts, Int(facts.f_blocks) * Int(facts.f_frsize) <= Self.largest else {
            return "the volume of \(folder) is larger than 8 GB."
        }
        return access(folder, W_OK) == 0 ? nil : "\(folder) cannot be written by this user."
    }

    func fill() throws(FaultNotApplied) -> FaultAction {
        if let obstacle { throw FaultNotApplied(obstacle) }
        return FaultAction {
            "The database's disk was full: \(try takeAll() >> 20) MB were taken."
        } end: {
            undo()
        }
    }

    func undo() { unlink(filler) }

    /// Takes all free space.
    ///
    /// - Returns: The number of bytes taken.
    private func takeAll() throws -> Int {
        let file = open(filler, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StackError("\(filler) cannot be created: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var (taken, piece) = (0, 64 << 20)
        while piece >= 4096 {
            guard obstacle == nil else { throw StackError("the volume of \(folder) has gone") }
            if posix_fallocate(file, off_t(taken), off_t(piece)) == 0 { taken += piece } else { piece /= 2 }
        }
        return taken
    }

    private var facts: statvfs? {
        var facts = statvfs()
        return statvfs(folder, &facts) == 0 ? facts : nil
    }

    private static func device(_ path: String) -> UInt? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.systemNumber] as? UInt
    }
}
