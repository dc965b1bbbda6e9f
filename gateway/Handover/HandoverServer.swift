import Contracts
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Gives all sockets of this gateway to a successor: another process that connects to a Unix socket and takes them over
/// without a client noticing. When all are given, `run` returns, after which this process ends.
///
/// Connections with TLS cannot move, since their keys are in this process: they are closed after the request in flight,
/// WebSockets with status 1012.
struct HandoverServer: Service {
    let path: String
    let listeners: Listeners
    let loops: EventLoopContexts
    let core: GatewayCore
    /// What this process takes over itself before; nil if it took nothing over.
    let client: HandoverClient?
    let logger: Logger

    /// The maximum number of connections that stand still at a time, of all event loops. Each stands still for as long as
    /// its whole group takes.
    private static let groupSize = DescriptorSocket.mostDescriptors / 8
    /// How long a successor that starts may take until it serves, and how long it may take to answer then, in seconds.
    private static let startTime = 120
    private static let answerTime = 5

    func run() async throws {
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        await cancelWhenGracefulShutdown { await listeners.opened.sleep(atMost: .seconds(3600)) }
        guard !Task.isShuttingDownGracefully else { return try await threads.shutdownGracefully() }
        await withGracefulShutdownHandler {
            await client?.takeOver(loops, core, threads)
        } onGracefulShutdown: {
            client?.end()
        }
        do {
            try await listen(threads)
        } catch {
            logger.error("handover: no successor can take over", error: error)
            try? await gracefulShutdown()
        }
        try await threads.shutdownGracefully()
    }

    private func listen(_ threads: NIOThreadPool) async throws {
        let socket = try DescriptorSocket.listen(at: path)
        let starting = Starting()
        try await withTaskCancellationOrGracefulShutdownHandler {
            while let successor = try await threads.runIfActive({ socket.accept() }) {
                let giving = Giving(self, to: successor, threads, starting)
                do {
                    try await giving.run()
                    return
                } catch {
                    logger.error(
                        "handover: the successor did not take over, this process goes on",
                        error: error,
                        metadata: ["given": "\(giving.given)"]
                    )
                }
            }
        } onCancelOrGracefulShutdown: {
            socket.end()
            starting.end()
        }
    }

    /// The successor that does not serve yet, which a shutdown does not wait for.
    private final class Starting: Sendable {
        private let successor = Mutex<DescriptorSocket?>(nil)

        func set(_ successor: DescriptorSocket?) { self.successor.withLock { $0 = successor } }
        func end() { successor.withLock(\.self)?.end() }
    }

    /// The exchange with one successor.
    private final class Giving {
        private let server: HandoverServer
        private let successor: DescriptorSocket
        private let threads: NIOThreadPool
        private let starting: Starting
        /// The number of connections that are the successor's.
        private(set) var given = 0
        /// The revision of the revocations that the successor knows.
        private var revoked = 0

        init(
            _ server: HandoverServer,
            to successor: DescriptorSocket,
            _ threads: NIOThreadPool,
            _ starting: Starting
        ) {
            (self.server, self.successor, self.threads, self.starting) = (server, successor, threads, starting)
        }

        private var loops: EventLoopContexts { server.loops }

        func run() async throws {
            let peer = try successor.peer()
            guard peer.user == geteuid() else { throw Stranger(user: peer.user) }
            try await start()
            server.logger.notice("handover: connections go to a successor", metadata: ["process": "\(peer.process)"])
            successor.setTimeout(seconds: HandoverServer.answerTime)
            do {
                try await server.listeners.pause()
                loops.forEach { $0.startMoving() }
                try await moveAll()
                try await sendEnded()
                try await send(.done)
            } catch {
                // One that has only been too slow must not go on with what stays here.
                if (error as? DescriptorSocket.Failure)?.isTimeout == true { kill(peer.process, SIGKILL) }
                loops.forEach { $0.stopMoving() }
                try await server.listeners.resume()
                throw error
            }
        }

        /// Until the successor serves.
        private func start() async throws {
            starting.set(successor)
            defer { starting.set(nil) }
            successor.setTimeout(seconds: HandoverServer.answerTime)
            try await threads.runIfActive { [successor] in
                try successor.receive(.hello(version: HandoverMessage.version))
            }
            successor.setTimeout(seconds: HandoverServer.startTime)
            let ports = try await server.listeners.descriptors()
            defer { closeAll(ports.map(\.descriptor)) }
            try await send(.ports(ports.map(\.setting), hears: true), ports.map(\.descriptor))
            revoked = server.core.revocations.revision
            try await send(server.core.revocations.all)
            try await send(.revocations([]))
            try await threads.runIfActive { [successor] in try successor.receive(.serving) }
        }

        private func moveAll() async throws {
            var end = ContinuousClock.now + server.core.limits.handoverTime
            while ContinuousClock.now < end {
                let limit = max(1, HandoverServer.groupSize / loops.count)
                let group = try await loops.map { $0.leaving(limit: limit) }.flatMap(\.self)
                if !group.isEmpty {
                    try await move(group)
                    end = .now + server.core.limits.handoverTime
                    continue
                }
                guard try await loops.map(\.movableCount).contains(where: { $0 > 0 }) else { return }
                try await sendEnded()
                try await threads.runIfActive { [successor, core = server.core] in
                    while successor.isReadable { try Self.receive(nil, from: successor, core) }
                }
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        private func move(_ group: [LeavingConnection]) async throws {
            let descriptors = group.flatMap(\.descriptors)
            defer { closeAll(descriptors) }
            do {
                // Before the connections by which they ended.
                try await sendEnded()
                try await threads.runIfActive { [successor, core = server.core] in
                    try successor.send(.connections(group.map(\.moved)), descriptors)
                    while try !Self.receive(.adopted, from: successor, core) {}
                }
            } catch {
                try await onLoops(of: group) { $0.stay() }
                throw error
            }
            given += group.count
            // The successor does not wait until the copies here are closed.
            defer { for one in group { one.connection.eventLoop.execute { one.connection.value.cut() } } }
            try await send(.own)
        }

        private func onLoops(
            of group: [LeavingConnection],
            _ body: @escaping @Sendable (any TimedConnection) -> Void
        ) async throws {
            // All at once, since the loops are busy with requests.
            let done = group.map { one in one.connection.eventLoop.submit { body(one.connection.value) } }
            for one in done { try await one.get() }
        }

        /// Receives a message, and adds the sessions that it says have ended.
        ///
        /// - Parameter expected: What else may come.
        /// - Returns: whether that came.
        @discardableResult
        private static func receive(
            _ expected: HandoverMessage?,
            from successor: DescriptorSocket,
            _ core: GatewayCore
        ) throws -> Bool {
            let (message, descriptors) = try successor.receiveMessage()
            closeAll(descriptors)
            if case .revocations(let ended) = message {
                core.revocations.add(ended)
                return false
            }
            guard message == expected else { throw DescriptorSocket.Unexpected(message: message) }
            return true
        }

        /// Sends the sessions that have ended meanwhile: the successor has connections of people who end them here.
        private func sendEnded() async throws {
            let (sessions, revision) = server.core.revocations.added(after: revoked)
            guard revision != revoked else { return }
            revoked = revision
            try await send(server.core.revocations.all.filter { sessions?.contains($0.session) ?? true })
        }

        private func send(_ ended: [AuthAPI.Revocations.Revocation]) async throws {
            for message in HandoverMessage.messages(of: ended) { try await send(message) }
        }

        private func send(_ message: HandoverMessage, _ descriptors: [CInt] = []) async throws {
            try await threads.runIfActive { [successor] in try successor.send(message, descriptors) }
        }
    }

    /// A process of another account.
    struct Stranger: Error, CustomStringConvertible {
        let user: uid_t

        var description: String { "a process of account \(user) may not take over" }
    }
}
