import Glibc

/// Standard error, for the one sentence that a process says before it gives up.
package enum StandardError {
    package static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Ends the process.
package func exitProcess(_ code: Int32) -> Never {
    exit(code)
}
