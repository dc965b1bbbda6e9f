import Glibc

/// Standard error, for the message that a process prints before it exits with a failure.
package enum StandardError {
    package static func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

package func exitProcess(_ code: Int32) -> Never {
    exit(code)
}
