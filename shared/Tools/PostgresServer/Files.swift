import Glibc

/// The file operations of the server, implemented with the C library (Foundation is not linked).
enum Files {
    /// The text of a small file; nil if it cannot be read.
    static func text(at path: String, from offset: Int = 0) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard lseek(file, offset, SEEK_SET) >= 0 else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = read(file, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += chunk[..<count]
        }
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The free space below a directory, in bytes; 0 if it cannot be determined.
    static func freeSpace(of directory: String) -> Int {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return 0 }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Creates or replaces a file that only its owner can read.
    static func write(_ text: String, to path: String, owner: ServerAccount) throws(PostgresServerError) {
        try write(Array(text.utf8), to: path, owner: owner)
    }

    /// Creates or replaces a file that only its owner can read.
    static func write(_ bytes: [UInt8], to path: String, owner: ServerAccount) throws(PostgresServerError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("write", path) }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw failure("write", path) }
        if let user = owner.user, fchown(file, user, owner.group ?? user) != 0 {
            throw failure("change the owner of", path)
        }
    }

    /// Creates a directory with its parents. The last one is accessible to `owner` only.
    static func makeDirectory(_ path: String, owner: ServerAccount) throws(PostgresServerError) {
        var prefix = ""
        for part in path.split(separator: "/") {
            prefix += "/\(part)"
            guard mkdir(prefix, 0o755) == 0 || errno == EEXIST || Files.exists(prefix) else {
                throw failure("create the directory", prefix)
            }
        }
        if let user = owner.user, chown(path, user, owner.group ?? user) != 0 {
            throw failure("change the owner of", path)
        }
        guard chmod(path, 0o700) == 0 else { throw failure("restrict", path) }
    }

    /// An absolute path without `.`, `..` and duplicate slashes; relative paths are resolved from the working
    /// directory.
    static func absolute(_ path: String) -> String {
        var parts: [Substring] = []
        var whole = path
        if !path.hasPrefix("/"), let here = getcwd(nil, 0) {
            whole = "\(String(cString: here))/\(path)"
            free(here)
        }
        for part in whole.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func failure(_ verb: String, _ path: String) -> PostgresServerError {
        if errno == ENOSPC {
            return PostgresServerError("The disk that holds \(path) is full. Free some space, then try again.")
        }
        return PostgresServerError("Cannot \(verb) \(path): \(String(cString: strerror(errno))).")
    }
}
