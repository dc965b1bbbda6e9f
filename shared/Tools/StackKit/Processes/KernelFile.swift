import FoundationEssentials
import Glibc

/// Files below `/proc`. They have size 0 and are read in pieces, so that functions for ordinary files
/// (`String(contentsOfFile:)`) stop after the first.
package enum KernelFile {
    /// The whole text; nil if it cannot be read.
    package static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { return count == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += piece[..<count]
        }
    }

    /// The names in a folder; empty if it cannot be read.
    package static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// - Throws: `StackError` if it cannot be written.
    package static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw StackError("\(path) cannot be written")
        }
    }

    /// The bytes of memory that programs could still get; nil where the kernel does not say.
    package static var availableMemory: Int? {
        let line = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
