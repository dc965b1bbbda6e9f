import Glibc
import NIOCore
import ServiceKit
import Synchronization

/// The listening sockets of a running gateway, by the settings that have their ports.
final class Listeners: Sendable {
    /// Is sent when all sockets listen.
    let opened = AsyncSignal()
    private let channels = Mutex<[(setting: String, channel: any Channel)]>([])

    func add(_ channel: any Channel, setting: String) {
        channels.withLock { $0.append((setting, channel)) }
    }

    /// Copies of the descriptors, which the caller closes.
    func descriptors() async throws -> [(setting: String, descriptor: CInt)] {
        var copies: [(setting: String, descriptor: CInt)] = []
        for (setting, channel) in channels.withLock(\.self) {
            let copy = try await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                    fcntl($0, F_DUPFD_CLOEXEC, 0)
                }
            }.get()
            if let copy, copy >= 0 { copies.append((setting, copy)) }
        }
        return copies
    }

    /// Accepts no more connections: those that come wait in the kernel for another process with the same sockets.
    func pause() async throws { try await setAccepting(false) }

    func resume() async throws { try await setAccepting(true) }

    private func setAccepting(_ isAccepting: Bool) async throws {
        for (_, channel) in channels.withLock(\.self) {
            try await channel.setOption(.autoRead, value: isAccepting).get()
        }
    }
}
