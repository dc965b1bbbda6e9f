import NIOCore
import NIOPosix
import ServiceKit
import Synchronization

/// Writes log lines to standard output on one thread. If the log reader stalls, lines are dropped to bound memory.
final class AccessLogWriter: Sendable {
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

    /// The maximum number of pending bytes.
    private static let limit = 16 * 1024 * 1024

    init() {
        thread.start()
    }

    /// The number of dropped batches since the start.
    var droppedCount: Int { dropped.load(ordering: .relaxed) }

    func write(_ lines: ByteBuffer) {
        let size = lines.readableBytes
        guard waiting.load(ordering: .relaxed) < Self.limit else {
            dropped.wrappingAdd(1, ordering: .relaxed)
            return
        }
        waiting.wrappingAdd(size, ordering: .relaxed)
        thread.submit { [self] _ in
            lines.withUnsafeReadableBytes(StandardOutput.write)
            waiting.wrappingSubtract(size, ordering: .relaxed)
        }
    }

    /// Writes the pending lines and stops the thread.
    func close() async {
        try? await thread.shutdownGracefully()
    }
}
