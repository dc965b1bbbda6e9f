import FoundationEssentials
import NIOCore
import NIOSSL

/// One connection to a server: joins it, keeps it alive, and passes on what it sends.
final class NATSConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        /// INFO is awaited.
        case greeting
        /// No INFO has come in time. A server of another protocol answers to the line that was sent.
        case probing
        /// The answer to CONNECT is awaited.
        case joining(ServerInfo)
        case joined
        case ended
    }

    private let host: NATSConfiguration.Host
    private let client: NATSClient
    private let joining: EventLoopPromise<ServerInfo>
    private let end: EventLoopPromise<String>
    private var phase = Phase.greeting
    private var parser = OperationParser()
    /// Ends the wait for an answer, or the next tick.
    private var timer: Scheduled<Void>?
    /// The number of ticks since bytes were received. Ticks are counted, not time: a process that was stopped for long
    /// first reads what has arrived.
    private var silentTicks = 0
    private var reason = "the server has closed it"

    private static let ticks = 8

    init(_ host: NATSConfiguration.Host, of client: NATSClient, on eventLoop: any EventLoop) {
        self.host = host
        self.client = client
        joining = eventLoop.makePromise()
        end = eventLoop.makePromise()
    }

    /// Succeeds when the server has accepted the client; fails with `NATSFailure`.
    var joined: EventLoopFuture<ServerInfo> { joining.futureResult }
    /// Succeeds with the reason when the connection has ended.
    var ended: EventLoopFuture<String> { end.futureResult }

    // MARK: ChannelInboundHandler

    func channelActive(context: ChannelHandlerContext) {
        schedule(after: client.limits.greeting, context) { $0.probe($1) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        silentTicks = 0
        parser.append(unwrapInboundIn(data))
        do {
            while !hasEnded, let operation = try parser.next() { handle(operation, context) }
        } catch {
            fail(.refused("\(host) does not speak NATS: it sends \(error.problem)"), context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        client.flush(context.channel)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        switch phase {
        case .probing: fail(.refused("\(host) does not speak NATS: it sends no greeting"), context)
        default: fail(.unreachable("\(host) has closed the connection"), context)
        }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        joining.fail(NATSFailure.unreachable("\(host) cannot be reached"))
        end.succeed(reason)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isTLS = error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError
        fail(
            isTLS
                ? .refused("TLS with \(host) fails: \(error)")
                : .unreachable("the connection to \(host) is broken: \(error)"),
            context
        )
    }

    // MARK: Joining

    private var hasEnded: Bool { if case .ended = phase { true } else { false } }

    private func schedule(
        after delay: TimeAmount? = nil,
        _ context: ChannelHandlerContext,
        _ body: @escaping (NATSConnection, ChannelHandlerContext) -> Void
    ) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: delay ?? client.limits.silence) {
            body(self, context)
        }
    }

    /// A server that waits for a request, such as one of HTTP, answers this with an error of its own.
    private func probe(_ context: ChannelHandlerContext) {
        phase = .probing
        write("PING\r\n\r\n", context)
        schedule(context) { $0.fail(.unreachable("\($0.host) does not answer"), $1) }
    }

    private func handle(_ operation: ServerOperation, _ context: ChannelHandlerContext) {
        switch (phase, operation) {
        case (.greeting, .info(let info)): join(info, context)
        case (.probing, .info): fail(.unreachable("\(host) answers late"), context)
        case (.joining(let info), .pong):
            phase = .joined
            timer?.cancel()
            keepAlive(context)
            joining.succeed(info)
        case (.joining, .error(let problem)):
            let isFull = problem.lowercased().contains("maximum")
            let sentence = "\(host) answers: \(problem)"
            fail(isFull ? .unreachable(sentence) : .refused(sentence), context)
        case (.joining, .ping), (.joined, .ping): write("PONG\r\n", context)
        case (.joining, .info), (.joining, .ok), (.joined, .info), (.joined, .ok), (.ended, _): break
        case (.joined, _): client.receive(operation, from: context.channel, of: host)
        case (.greeting, _), (.probing, _), (.joining, _):
            fail(.refused("\(host) does not speak NATS: it sends no greeting"), context)
        }
    }

    private func join(_ info: ServerInfo, _ context: ChannelHandlerContext) {
        let configuration = client.configuration
        if let cluster = configuration.cluster, info.cluster != cluster {
            let other = info.cluster.map { "the cluster \($0)" } ?? "no cluster"
            return fail(.refused("\(host) belongs to \(other), not to \(cluster)"), context)
        }
        phase = .joining(info)
        if configuration.requiresTLS || info.requiresTLS {
            guard info.requiresTLS || info.offersTLS, parser.isEmpty else {
                return fail(.refused("\(host) offers no TLS"), context)
            }
            do {
                let handler = try configuration.makeTLSHandler(for: host)
                try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
            } catch {
                return fail(.refused("TLS with \(host) cannot begin: \(error)"), context)
            }
        }
        schedule(context) { $0.fail(.unreachable("\($0.host) does not answer"), $1) }
        write("CONNECT \(client.greeting)\r\nPING\r\n", context)
    }

    /// Ends the connection, before or after the client has joined.
    private func fail(_ failure: NATSFailure, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        phase = .ended
        reason = failure.description
        timer?.cancel()
        joining.fail(failure)
        context.close(promise: nil)
    }

    // MARK: Joined

    /// Closes the connection when nothing is received in time, though the server was asked for a sign.
    private func keepAlive(_ context: ChannelHandlerContext) {
        let tick = TimeAmount.nanoseconds(client.limits.silence.nanoseconds / Int64(Self.ticks))
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: tick) {
            self.silentTicks += 1
            if self.silentTicks == Self.ticks / 2 { self.client.ping() }
            guard self.silentTicks < Self.ticks else {
                return self.fail(.unreachable("\(self.host) does not answer"), context)
            }
            self.keepAlive(context)
        }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
    }
}
