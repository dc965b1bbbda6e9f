import Glibc
import Synchronization

/// Standard output as a stream of whole lines: nothing is held back in a buffer, and lines of different threads do not mix.
package enum StandardOutput {
    private static let lock = Mutex(())

    /// Writes whole lines, each with its line feed. Gives up where nobody reads any more.
    package static func write(_ lines: UnsafeRawBufferPointer) {
        lock.withLock { _ in
            var rest = lines
            while let start = rest.baseAddress, rest.count > 0 {
                let written = Glibc.write(STDOUT_FILENO, start, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }
}
