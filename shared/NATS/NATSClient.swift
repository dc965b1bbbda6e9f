package import Logging
import Metrics
package import NIOCore
import NIOPosix
import Synchronization
package import Values

/// A client of NATS core: publishes and receives messages that are kept nowhere, at most once each.
///
/// It keeps one connection to one of the hosts, and connects again when that is lost. It is written for this use instead
/// of linking libnats: the core protocol has ten operations, and the two commands that install and start Madang need no
/// more system packages than libpq that way; TLS is that of NIOSSL, which the gateway uses, too.
package final class NATSClient: Sendable {
    package enum Event: Sendable, Equatable {
        /// The server has all subscriptions. Messages before may have been missed.
        case connected
        /// Nothing is received until `connected`; also sent when the first attempt to connect has failed.
        case disconnected
        case message(subject: String, payload: String)
    }

    package struct Limits: Sendable {
        /// A server that sends nothing for this time is considered dead; it is asked for a sign before.
        package var silence = TimeAmount.seconds(2)
        /// A server that has sent no greeting for this time is asked what it speaks.
        package var greeting = TimeAmount.seconds(2)
        /// The maximum number of bytes that wait to be sent. Further messages are lost.
        package var outgoing = 8 << 20
        /// Pauses between attempts to connect.
        package var backoff = Backoff(from: .milliseconds(100), to: .seconds(2))

        package init() {}
    }

    /// A connection that the server has accepted.
    struct Link: Sendable {
        var host: NATSConfiguration.Host
        var channel: any Channel
        var info: ServerInfo
        var ended: EventLoopFuture<String>
    }

    private let outbox: Mutex<Outbox>
    private let receiveEvent: @Sendable (Event, NATSClient) -> Void
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
    private let lost = Counter(label: "nats_messages_lost_total")
    private let logger: Logger
    let configuration: NATSConfiguration
    let limits: Limits
    let greeting: String

    /// - Parameters:
    ///   - name: The name of the program in the server's list of connections.
    ///   - receive: Called in order; must not block.
    package init(
        _ configuration: NATSConfiguration,
        name: String,
        limits: Limits = Limits(),
        logger: Logger,
        receive: @escaping @Sendable (Event, NATSClient) -> Void
    ) {
        self.configuration = configuration
        self.limits = limits
        self.logger = logger
        self.greeting = configuration.greeting(of: name)
        self.receiveEvent = receive
        self.outbox = Mutex(Outbox(limit: limits.outgoing))
    }

    // MARK: Messages

    /// Publishes a message, without waiting.
    ///
    /// - Parameter subject: Tokens joined by dots.
    /// - Returns: Whether it was taken; it may be lost even then.
    @discardableResult
    package func publish(_ payload: String, to subject: String) -> Bool {
        let isTaken = send { $0.publish(payload, to: subject) }
        if !isTaken { lost.increment() }
        return isTaken
    }

    /// Receives the messages with a subject, whenever the client is connected, until `unsubscribe` was called as often.
    package func subscribe(to subject: String) {
        send { $0.subscribe(to: subject) }
    }

    package func unsubscribe(from subject: String) {
        send { $0.unsubscribe(from: subject) }
    }

    /// Waits until the server has received everything that was sent to it, and its subscriptions are in effect.
    ///
    /// - Returns: False if the client is not connected.
    @discardableResult
    package func confirm() async -> Bool {
        await withCheckedContinuation { continuation in
            if !send({ $0.ping(.confirm(continuation)) }) { continuation.resume(returning: false) }
        }
    }

    /// Waits until all subscriptions are in effect, or there is no connection.
    package func confirmSubscriptions() async {
        if outbox.withLock(\.hasUnconfirmed) { await confirm() }
    }

    /// Changes what is to be sent, and has it flushed.
    @discardableResult
    private func send<Value: Sendable>(_ body: (inout Outbox) -> Value) -> Value {
        let (value, channel) = outbox.withLock { (body(&$0), $0.channelToFlush()) }
        channel?.eventLoop.execute { [self] in if let channel { flush(channel) } }
        return value
    }

    // MARK: Called by the connection

    func receive(_ operation: ServerOperation, from channel: any Channel, of host: NATSConfiguration.Host) {
        switch operation {
        case .message(let subject, let payload): receiveEvent(.message(subject: subject, payload: payload), self)
        case .pong:
            switch outbox.withLock({ $0.pong(from: channel) }) {
            case .ready:
                logger.notice("nats: connected", metadata: ["host": "\(host)"])
                receiveEvent(.connected, self)
            case .confirm(let continuation): continuation.resume(returning: true)
            case .sign, nil: break
            }
        case .error(let problem):
            logger.warning("nats: error of the server", metadata: ["host": "\(host)", "problem": "\(problem)"])
        case .info, .ping, .ok: break
        }
    }

    func ping() {
        send { $0.ping(.sign) }
    }

    /// Sends what waits, once for everything that was added meanwhile; what does not fit waits until the channel is writable.
    func flush(_ channel: any Channel) {
        guard channel.isWritable, let bytes = outbox.withLock({ $0.take(for: channel) }) else { return }
        channel.writeAndFlush(bytes, promise: nil)
    }

    // MARK: Connections

    /// Tries every host, and warns of those that cannot be used.
    ///
    /// - Throws: `NATSRefusal` if every host refuses this client, or is not the server that is meant.
    package func check() async throws(NATSRefusal) {
        let failures = await withTaskGroup { group in
            for host in configuration.hosts {
                group.addTask { () -> NATSFailure? in
                    do throws(NATSFailure) {
                        try await self.open(host).channel.close(mode: .all, promise: nil)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        let refusals = failures.compactMap { if case .refused(let reason) = $0 { reason } else { nil } }.sorted()
        guard refusals.count < configuration.hosts.count else { throw NATSRefusal(refusals) }
        for failure in failures {
            logger.warning("nats: a host cannot be used", metadata: ["reason": "\(failure)"])
        }
    }

    /// Keeps a connection until the task is cancelled.
    package func run() async {
        var backoff = limits.backoff
        var isOut = false
        while !Task.isCancelled {
            if let link = await connect(warns: !isOut) {
                isOut = false
                let wasReady = await keep(link)
                if wasReady { backoff.reset() }
            }
            if !isOut, !Task.isCancelled { receiveEvent(.disconnected, self) }
            isOut = true
            try? await Task.sleep(for: backoff.next())
        }
    }

    /// A connection to the first host that accepts the client.
    private func connect(warns: Bool) async -> Link? {
        var failures: [NATSFailure] = []
        for host in configuration.hosts.shuffled() {
            guard !Task.isCancelled else { return nil }
            do throws(NATSFailure) {
                return try await open(host)
            } catch {
                failures.append(error)
            }
        }
        if warns {
            let reasons = failures.map(\.description).sorted().joined(separator: "; ")
            logger.warning("nats: not connected, will retry", metadata: ["reason": "\(reasons)"])
        }
        return nil
    }

    /// Uses a connection until it ends.
    ///
    /// - Returns: Whether the server has confirmed the subscriptions.
    private func keep(_ link: Link) async -> Bool {
        send { $0.attach(link) }
        let reason = await withTaskCancellationHandler {
            try? await link.ended.get()
        } onCancel: {
            link.channel.eventLoop.execute {
                self.flush(link.channel)
                link.channel.close(promise: nil)
            }
        }
        let rest = outbox.withLock { $0.detach() }
        lost.increment(by: rest.lost)
        for continuation in rest.confirmations { continuation.resume(returning: false) }
        if !Task.isCancelled {
            logger.warning("nats: connection lost", metadata: ["host": "\(link.host)", "reason": "\(reason ?? "")"])
        }
        return rest.wasReady
    }

    private func open(_ host: NATSConfiguration.Host) async throws(NATSFailure) -> Link {
        // By channel: several may be tried, and a connection that is refused at once is gone when its channel is returned.
        let connections = Mutex<[ObjectIdentifier: (EventLoopFuture<ServerInfo>, EventLoopFuture<String>)]>([:])
        do {
            let channel = try await ClientBootstrap(group: eventLoop)
                .connectTimeout(limits.silence)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 1 << 20))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let connection = NATSConnection(host, of: self, on: channel.eventLoop)
                        connections.withLock { $0[ObjectIdentifier(channel)] = (connection.joined, connection.ended) }
                        try channel.pipeline.syncOperations.addHandler(connection)
                    }
                }
                .connect(host: host.name, port: host.port)
                .get()
            guard let (joined, ended) = connections.withLock({ $0[ObjectIdentifier(channel)] }) else {
                throw NATSFailure.unreachable("\(host) cannot be reached")
            }
            return Link(host: host, channel: channel, info: try await joined.get(), ended: ended)
        } catch let failure as NATSFailure {
            throw failure
        } catch {
            throw .unreachable("\(host) cannot be reached: \(error)")
        }
    }
}
