import Authentication
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix

/// Takes the sockets of a running gateway over; see `HandoverServer`.
final class HandoverClient: Sendable {
    private let predecessor: DescriptorSocket
    private let ports: [String: CInt]
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger

    private init(
        _ predecessor: DescriptorSocket,
        ports: [String: CInt],
        group: MultiThreadedEventLoopGroup,
        logger: Logger
    ) {
        self.predecessor = predecessor
        self.ports = ports
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
            guard case .ports(let settings) = message, settings.count == descriptors.count else {
                closeAll(descriptors)
                throw DescriptorSocket.Unexpected(message: message)
            }
            let ports = Dictionary(zip(settings, descriptors)) { first, _ in first }
            return HandoverClient(predecessor, ports: ports, group: group, logger: logger)
        }
    }

    /// The listening socket of a setting; nil if the predecessor has none.
    func descriptor(of setting: String) -> CInt? { ports[setting] }

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
        do {
            try await threads.runIfActive { [predecessor] in
                try predecessor.send(.serving)
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

    /// - Returns: nil after the last one.
    private func nextGroup(_ core: GatewayCore, _ threads: NIOThreadPool) async throws -> ([MovedConnection], [CInt])? {
        while true {
            let (message, descriptors) = try await threads.runIfActive { [predecessor] in
                try predecessor.receiveMessage()
            }
            switch message {
            case .connections(let group): return (group, descriptors)
            case .revocations(let ended):
                core.revocations.add(ended, leeway: 0, now: Int64(Date.now.timeIntervalSince1970))
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
        var opening: [EventLoopFuture<AdoptedConnection>] = []
        for moved in group {
            let own = Array(rest.prefix(moved.tunnel == nil ? 1 : 2))
            rest = rest.dropFirst(own.count)
            opening.append(AdoptedConnection.open(moved, own, on: self.group.next(), loops))
        }
        closeAll(Array(rest))
        var adopted: [AdoptedConnection] = []
        for future in opening {
            do {
                adopted.append(try await future.get())
            } catch {
                logger.error("handover: a connection cannot be used and is closed", error: error)
            }
        }
        return adopted
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
