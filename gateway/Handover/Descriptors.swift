import Glibc
import NIOCore
import NIOSSL

func closeAll(_ descriptors: [CInt]) {
    for descriptor in descriptors { close(descriptor) }
}

extension Channel {
    /// Whether the channel is a socket without TLS, whose state is in the kernel alone; to be called on its event loop.
    var canMove: Bool {
        guard self is any SocketOptionProvider, isActive else { return false }
        return (try? pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)) == nil
    }

    /// Stops reading, and copies the descriptor, for another process.
    ///
    /// - Returns: nil if bytes wait to be written, or the channel has no descriptor; it goes on then.
    func leave() -> CInt? {
        guard let options = syncOptions, (try? options.getOption(.bufferedWritableBytes)) == 0 else { return nil }
        let copy = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        try? options.setOption(.autoRead, value: false)
        return copy
    }

    /// Reads again after `leave`, or for the first time.
    func stay() {
        try? syncOptions?.setOption(.autoRead, value: true)
    }
}
