import Glibc
import Synchronization

/// Unbuffered standard output. Lines of different threads are not interleaved.
package enum StandardOutput {
    private static let lock = Mutex(())

    /// Writes complete lines, each with its line feed. Stops on a write error, such as a closed pipe.
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
