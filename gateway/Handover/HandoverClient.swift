import Authentication
import Contracts
import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Takes the sockets of a running gateway over; see `HandoverServer`.
final class HandoverClient: Sendable {
    private let predecessor: DescriptorSocket
    /// Whether the predecessor reads which sessions end here.
    private let isHeard: Bool
    /// Whether the predecessor has given all.
    private let isDone = Atomic(false)
    /// The listening sockets that are not used yet, by their settings.
    private let ports: Mutex<[String: CInt]>
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger

    private init(
        _ predecessor: DescriptorSocket,
        isHeard: Bool,
        ports: [String: CInt],
        group: MultiThreadedEventLoopGroup,
        logger: Logger
    ) {
        self.predecessor = predecessor
        self.isHeard = isHeard
        self.ports = Mutex(ports)
        self.group = group
        self.logger = logger
    }

    /// Asks the gateway that listens at a path for its ports.
    ///
    /// - Returns: nil if there is none.
    static func connect(
        to path: String,
        _ group: MultiThreadedEventLoopGroup,
        logger: Logger
    ) async throws -> HandoverClient? {
        try await NIOThreadPool.singleton.runIfActive {
            guard let predecessor = try DescriptorSocket.connect(to: path) else { return nil }
            predecessor.setTimeout(seconds: 10)
            try predecessor.send(.hello(version: HandoverMessage.version))
            let (message, descriptors) = try predecessor.receiveMessage()
            guard case .ports(let settings, let isHeard) = message, settings.count == descriptors.count else {
                closeAll(descriptors)
                throw DescriptorSocket.Unexpected(message: message)
            }
            let ports = Dictionary(zip(settings, descriptors)) { first, _ in first }
            return HandoverClient(
                predecessor,
                isHeard: isHeard == true,
                ports: ports,
                group: group,
                logger: logger
            )
        }
    }

    /// The listening socket of a setting, which is the caller's from now on.
    ///
    /// - Parameter port: The port that is to be listened on; 0 for that of the predecessor.
    /// - Returns: nil if the predecessor has none, or listens on another port.
    func takeDescriptor(of setting: String, port: Int) -> CInt? {
        ports.withLock { ports in
            guard let descriptor = ports[setting], port == 0 || Self.port(of: descriptor) == port else { return nil }
            return ports.removeValue(forKey: setting)
        }
    }

    /// Closes the listening sockets that this process has no use for, or clients would wait there.
    func closeRest() {
        closeAll(
            ports.withLock { ports in
                defer { ports = [:] }
                return Array(ports.values)
            }
        )
    }

    private static func port(of descriptor: CInt) -> Int? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard getsockname(descriptor, bytes.bindMemory(to: sockaddr.self).baseAddress, &size) == 0 else {
                return nil
            }
            // The port has this place in addresses of both families.
            return Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }

    /// Ends the exchange: the predecessor keeps what it has not given.
    func end() { predecessor.end() }

    /// Takes the sessions over that have ended, so that no request is served with a token of theirs.
    func takeSessions(_ core: GatewayCore) async {
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                predecessor.setTimeout(seconds: 2)
                while case .revocations(let ended) = try predecessor.receiveMessage().0, !ended.isEmpty {
                    core.revocations.add(ended)
                }
            }
        } catch {
            logger.warning("handover: the ended sessions were not all taken over", error: error)
        }
    }

    /// Waits until requests can be served: until then they are the predecessor's.
    func waitUntilReady(_ keys: PublishedKeys, _ directory: UpstreamDirectory) async {
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end, !(keys.current.revision > 0 && directory.isChecked) {
            guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    /// Takes all connections over that the predecessor gives, once this process accepts connections.
    func takeOver(_ loops: EventLoopContexts, _ core: GatewayCore, _ threads: NIOThreadPool) async {
        var count = 0
        defer { isDone.store(true, ordering: .relaxed) }
        do {
            try await threads.runIfActive { [self] in
                try predecessor.send(.serving)
                if isHeard { sendEnded(core.revocations) }
                predecessor.setTimeout(seconds: 60)
            }
            while let (group, descriptors) = try await nextGroup(core, threads) {
                let adopted = await adopt(group, descriptors, loops, core)
                count += adopted.count
                await own(adopted, threads)
            }
            logger.notice("handover: taken over", metadata: ["connections": "\(count)"])
        } catch {
            logger.error(
                "handover: the predecessor ended before all was taken over",
                error: error,
                metadata: ["connections": "\(count)"]
            )
        }
    }

    /// Sends the sessions that end by requests to this process from now on: the predecessor has connections of theirs.
    private func sendEnded(_ revocations: Revocations) {
        revocations.observe { [weak self] sessions in
            guard let self, !isDone.load(ordering: .relaxed) else { return }
            let ended = revocations.all.filter { sessions.contains($0.session) }
            NIOThreadPool.singleton.submit { [predecessor] _ in
                for message in HandoverMessage.messages(of: ended) { try? predecessor.send(message) }
            }
        }
    }

    /// - Returns: nil after the last one.
    private func nextGroup(_ core: GatewayCore, _ threads: NIOThreadPool) async throws -> ([MovedConnection], [CInt])? {
        while true {
            let (message, descriptors) = try await threads.runIfActive { [predecessor] in
                try predecessor.receiveMessage()
            }
            switch message {
            case .connections(let group): return (group, descriptors)
            case .revocations(let ended): core.revocations.add(ended)
            case .done: return nil
            case .hello, .ports, .serving, .adopted, .own:
                closeAll(descriptors)
                throw DescriptorSocket.Unexpected(message: message)
            }
        }
    }

    private func adopt(
        _ group: [MovedConnection],
        _ descriptors: [CInt],
        _ loops: EventLoopContexts,
        _ core: GatewayCore
    ) async -> [AdoptedConnection] {
        var rest = descriptors[...]
        let placed = group.map { moved in
            let own = Array(rest.prefix(moved.tunnel == nil ? 1 : 2))
            rest = rest.dropFirst(own.count)
            return (moved: moved, descriptors: own, eventLoop: self.group.next())
        }
        closeAll(Array(rest))
        // One change of threads for all of an event loop.
        let opening = Dictionary(grouping: placed) { ObjectIdentifier($0.eventLoop) }.values.map { part in
            let eventLoop = part[0].eventLoop
            return eventLoop.flatSubmit {
                let connections = part.map { AdoptedConnection.open($0.moved, $0.descriptors, on: eventLoop, loops) }
                return EventLoopFuture.whenAllComplete(connections, on: eventLoop)
            }
        }
        let results = try? await EventLoopFuture.whenAllSucceed(opening, on: self.group.next()).get()
        return (results ?? []).flatMap(\.self).compactMap { result in
            do {
                return try result.get()
            } catch {
                logger.error("handover: a connection cannot be used and is closed", error: error)
                return nil
            }
        }
    }

    /// Starts to use connections once they are this process's.
    private func own(_ adopted: [AdoptedConnection], _ threads: NIOThreadPool) async {
        do {
            try await threads.runIfActive { [predecessor] in
                try predecessor.send(.adopted)
                try predecessor.receive(.own)
            }
        } catch is DescriptorSocket.Ended {
            // The predecessor has died: no other process has them.
        } catch {
            logger.error("handover: the predecessor does not answer", error: error)
        }
        for connection in adopted { connection.start() }
    }
}
