import FoundationEssentials
import Glibc

/// Files below `/proc`. They say that they are empty and come in pieces, so that what reads ordinary files
/// (`String(contentsOfFile:)`) stops after the first.
package enum KernelFile {
    /// The whole text; nil where it cannot be read.
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

    /// What a folder has; nothing where it cannot be read.
    package static func names(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// - Throws: `StackError` where it cannot be written.
    package static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw StackError("\(path) cannot be written")
        }
    }
}
