import NIOCore
import NIOPosix
import ServiceHost
import Synchronization

/// Writes finished log lines to standard output on one thread. When the reader of the log stands still, lines are dropped
/// rather than gathered without end.
final class AccessLogWriter: Sendable {
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

    /// Bytes that may wait.
    private static let limit = 16 * 1024 * 1024

    init() {
        thread.start()
    }

    /// Batches of lines that were dropped since the start.
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

    /// Writes what waits and ends the thread.
    func close() async {
        try? await thread.shutdownGracefully()
    }
}
