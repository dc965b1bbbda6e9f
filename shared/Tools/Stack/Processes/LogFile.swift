import Glibc

/// A log file of a program.
struct LogFile: Sendable {
    let path: String

    /// In bytes; 0 if the file does not exist.
    var size: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The bytes from an offset on, at most 1 MB.
    func bytes(from offset: Int) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: min(max(size - offset, 0), 1 << 20))
        let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
        return Array(bytes.prefix(max(count, 0)))
    }

    func lastLines(_ count: Int) -> [Substring] {
        lines(of: bytes(from: max(0, size - 1 << 18))).suffix(count)
    }

    /// The last lines of a failed program, for an error message.
    func lastOutput(since offset: Int) -> String {
        let last = lines(of: bytes(from: offset)).suffix(5)
        return last.isEmpty ? "It printed nothing; see \(path)." : "Its last output:\n" + last.joined(separator: "\n")
    }

    private func lines(of bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
