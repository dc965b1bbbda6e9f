import Glibc
import NIOCore
import NIOPosix

/// Requests of signed-in people at a constant rate, on connections that stay open.
final class HandoverRequests: Sendable {
    private let eventLoop: any EventLoop
    private let tally: HandoverTally
    private let port: Int
    private let queue: NIOLoopBoundBox<HandoverQueue>

    /// - Parameter tokens: The access tokens, which requests use in turn.
    init(_ tokens: [String], port: Int, on eventLoop: any EventLoop, _ tally: HandoverTally) {
        self.eventLoop = eventLoop
        self.tally = tally
        self.port = port
        queue = .makeBoxSendingValue(HandoverQueue(tokens), eventLoop: eventLoop)
    }

    /// Sends requests until the returned task is cancelled.
    func start(rate: Int, connections: Int) async throws -> RepeatedTask {
        for _ in 0..<connections { try await connect() }
        return try await eventLoop.submit { [self] in
            let pace = NIOLoopBound(Pace(rate: Double(rate)), eventLoop: eventLoop)
            return eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { [self] _ in
                queue.value.add(pace.value.due().count)
            }
        }.get()
    }

    private func connect() async throws {
        _ = try await ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = HandoverRequestConnection(queue.value, tally) { [self] in
                        // The load stays the same when a connection is lost.
                        Task { try? await connect() }
                    }
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
    }

    /// Waits for the last answers, and closes the connections.
    func close() async throws {
        for _ in 0..<500 {
            if try await eventLoop.submit({ self.queue.value.isIdle }).get() { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        try await eventLoop.submit { self.queue.value.close() }.get()
    }
}

/// The requests that wait for a connection, and the connections.
private final class HandoverQueue {
    private let tokens: [String]
    private var turn = 0
    private var waiting = 0
    private var idle: [HandoverRequestConnection] = []
    private var connections: [HandoverRequestConnection] = []
    private(set) var isClosed = false

    init(_ tokens: [String]) {
        self.tokens = tokens
    }

    var isIdle: Bool { waiting == 0 && idle.count == connections.count }

    func add(_ requests: Int) {
        waiting += requests
        // The one that has been idle longest is next, so that none is idle for as long as the gateway's limit.
        while waiting > 0, !idle.isEmpty { send(on: idle.removeFirst()) }
    }

    func open(_ connection: HandoverRequestConnection) {
        connections.append(connection)
        free(connection)
    }

    func free(_ connection: HandoverRequestConnection) {
        if waiting > 0 { send(on: connection) } else { idle.append(connection) }
    }

    func remove(_ connection: HandoverRequestConnection) {
        idle.removeAll { $0 === connection }
        connections.removeAll { $0 === connection }
    }

    private func send(on connection: HandoverRequestConnection) {
        waiting -= 1
        turn = (turn + 1) % tokens.count
        connection.send(tokens[turn])
    }

    func close() {
        isClosed = true
        for connection in connections { connection.close() }
    }
}

private final class HandoverRequestConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let queue: HandoverQueue
    private let tally: HandoverTally
    private let reopen: () -> Void
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var isBusy = false
    private var isReset = false

    init(_ queue: HandoverQueue, _ tally: HandoverTally, reopen: @escaping () -> Void) {
        self.queue = queue
        self.tally = tally
        self.reopen = reopen
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        queue.open(self)
    }

    func send(_ token: String) {
        guard let context else { return }
        isBusy = true
        let request = "GET /stations/1 HTTP/1.1\r\nHost: madang\r\nAuthorization: Bearer \(token)\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        let text = String(buffer: received)
        guard let head = text.firstRange(of: "\r\n\r\n") else { return }
        let fields = text[..<head.lowerBound].lowercased().split(separator: "\r\n")
        let length =
            fields.first { $0.hasPrefix("content-length:") }?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        guard text[head.upperBound...].utf8.count >= length else { return }
        received.clear()
        isBusy = false
        if text.dropFirst(9).hasPrefix("200") { tally.answered() } else { tally.refused("\(text.prefix(300))") }
        queue.free(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isReset = (error as? IOError)?.errnoCode == ECONNRESET
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        queue.remove(self)
        guard !queue.isClosed else { return }
        if isBusy { tally.refused("a connection ended during a request") }
        tally.closed("a connection of requests", isOpenSocket: false, isReset: isReset)
        reopen()
    }

    func close() { context?.close(promise: nil) }
}
