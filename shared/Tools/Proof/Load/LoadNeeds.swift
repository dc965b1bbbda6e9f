import Glibc
package import StackKit

/// What a load needs of a machine.
package struct LoadNeeds: Sendable, Equatable {
    /// Open files of one process.
    package var files: Int
    /// Bytes.
    package var memory: Int
    package var disk: Int

    /// - Parameter people: The most that sign up.
    package init(people: Int) {
        // The gateway has two for each socket and each request that is under way.
        files = 1024 + 4 * people
        // Programs and PostgreSQL, and of each person a socket at four programs and what the database keeps of them.
        memory = (1 << 30) + people * (200 << 10)
        disk = (1 << 30) + people * (200 << 10)
    }

    /// - Parameters:
    ///   - files: What the system allows.
    ///   - disk: Free bytes; nil if they are not known.
    /// - Throws: `ProofError` that says what is missing.
    package func check(people: Int, machine: Machine, files: Int, disk: Int?) throws {
        guard files >= self.files else {
            throw ProofError(
                "\(people) people need \(self.files) open files of a process, and the system allows \(files); "
                    + "raise `ulimit -Hn`, or sign fewer people up"
            )
        }
        guard machine.freeMemory >= memory else {
            throw ProofError(
                "\(people) people need \(memory >> 20) MB of memory, and \(machine.freeMemory >> 20) MB are free; "
                    + "end other programs, or sign fewer people up"
            )
        }
        if let disk, disk < self.disk {
            throw ProofError(
                "\(people) people need \(self.disk >> 20) MB of disk, and \(disk >> 20) MB are free; "
                    + "free some space, or sign fewer people up"
            )
        }
    }

    /// The free bytes of the disk on which a folder will be; nil if the system does not say it.
    package static func freeDisk(of folder: String) -> Int? {
        var (path, facts) = (folder[...], statvfs())
        while statvfs(path.isEmpty ? "/" : String(path), &facts) != 0 {
            guard let slash = path.lastIndex(of: "/") else { return nil }
            path = path[..<slash]
        }
        return Int(facts.f_bavail) * Int(facts.f_frsize)
    }
}
