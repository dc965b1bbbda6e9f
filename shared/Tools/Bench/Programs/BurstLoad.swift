import NIOCore
import NIOPosix

/// Requests of many clients that are sent at the same time, or at individual times, over connections opened before.
enum BurstLoad {
    struct Request: Sendable {
        /// The gateway's port on the loopback interface.
        var port: Int
        /// Head and body.
        var text: String
        /// The delay after the start.
        var delay = TimeAmount.nanoseconds(0)
    }

    /// The result of a request.
    struct Answer: Sendable {
        /// 0 if the connection closed before a response.
        var status = 0
        /// From the scheduled time of the request, or of the first one on its connection.
        var time = TimeAmount.nanoseconds(0)
        /// The new refresh token in the response.
        var successor: String?

        var isGood: Bool { (200..<300).contains(status) }
    }

    /// - Parameters:
    ///   - queued: The number of sequential requests per connection.
    ///   - begins: Called when all connections are open.
    ///   - timeout: The time after which unanswered requests count as lost.
    /// - Returns: The responses, in the order of the requests.
    static func run(
        _ requests: [Request],
        queued: Int = 1,
        timeout: TimeAmount,
        begins: () -> Void = {}
    ) async throws -> [Answer] {
        let byPort = Dictionary(grouping: requests.indices) { requests[$0].port }
        let queues = byPort.values.flatMap { indices in
            stride(from: 0, to: indices.count, by: queued).map { Array(indices[$0..<min($0 + queued, indices.count)]) }
        }
        var connections: [NIOLoopBound<BurstConnection>] = []
        for start in stride(from: 0, to: queues.count, by: 200) {
            connections += try await withThrowingTaskGroup { group in
                for queue in queues[start..<min(start + 200, queues.count)] {
                    group.addTask { try await open(queue.map { requests[$0] }) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        // Connections open in any order; each has its own requests.
        begins()
        let start = NIODeadline.now()
        for connection in connections {
            connection.eventLoop.execute { connection.value.begin(at: start, timeout: timeout) }
        }
        var answers: [String: [Answer]] = [:]
        for connection in connections {
            let done = connection.eventLoop.flatSubmit { connection.value.done.futureResult }
            for (text, answer) in try await done.get() { answers[text, default: []].append(answer) }
        }
        return requests.map { answers[$0.text]?.popLast() ?? Answer() }
    }

    private static func open(_ queue: [Request]) async throws -> NIOLoopBound<BurstConnection> {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = BurstConnection(queue, on: channel.eventLoop)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            }
            .connect(host: "127.0.0.1", port: queue[0].port)
            .get()
        return try await channel.eventLoop.submit {
            let connection = try channel.pipeline.syncOperations.handler(type: BurstConnection.self)
            return NIOLoopBound(connection, eventLoop: channel.eventLoop)
        }.get()
    }
}

/// One connection with its sequential requests.
private final class BurstConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let done: EventLoopPromise<[(String, BurstLoad.Answer)]>
    private var queue: ArraySlice<BurstLoad.Request>
    private var answers: [(String, BurstLoad.Answer)] = []
    private var received = ByteBuffer()
    private var start = NIODeadline.now()
    private var context: ChannelHandlerContext?
    private var isDone = false

    init(_ queue: [BurstLoad.Request], on eventLoop: any EventLoop) {
        self.queue = queue[...]
        done = eventLoop.makePromise()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        finish()
    }

    func begin(at start: NIODeadline, timeout: TimeAmount) {
        self.start = start + (queue.first?.delay ?? .nanoseconds(0))
        guard let eventLoop = context?.eventLoop.assumeIsolated() else { return }
        eventLoop.scheduleTask(deadline: self.start + timeout) { [weak self] in self?.finish() }
        eventLoop.scheduleTask(deadline: self.start) { [weak self] in
            guard let self, let context = self.context else { return }
            self.sendNext(context)
        }
    }

    private func sendNext(_ context: ChannelHandlerContext) {
        guard let request = queue.first else { return finish() }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request.text)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard var answer = nextAnswer(), let request = queue.popFirst() else { return }
        answer.time = .now() - start
        answers.append((request.text, answer))
        sendNext(context)
    }

    /// The response, once it is complete. It is parsed as bytes, to keep the cost of the load generator low.
    private func nextAnswer() -> BurstLoad.Answer? {
        let bytes = received.readableBytesView
        guard let headEnd = Self.endOfHead(bytes) else { return nil }
        var answer = BurstLoad.Answer(status: bytes.dropFirst(9).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 })
        var length = 0
        var line = bytes.startIndex
        while let end = bytes[line..<headEnd].firstIndex(of: UInt8(ascii: "\r")) {
            let text = bytes[line..<end]
            if let value = Self.value(of: "content-length:", in: text) {
                length = value.reduce(0) { $0 * 10 + Int($1) - 48 }
            } else if let value = Self.value(of: "x-refresh-token:", in: text) {
                answer.successor = String(decoding: value, as: UTF8.self)
            }
            line = end + 2
        }
        guard bytes.endIndex - headEnd >= length + 2 else { return nil }
        received.clear()
        return answer
    }

    /// The start of the empty line after the last header field.
    private static func endOfHead(_ bytes: ByteBufferView) -> Int? {
        var index = bytes.startIndex
        while let end = bytes[index...].firstIndex(of: UInt8(ascii: "\r")), end + 3 < bytes.endIndex {
            if bytes[end + 2] == UInt8(ascii: "\r") { return end + 2 }
            index = end + 2
        }
        return nil
    }

    private static func value(of name: StaticString, in line: ByteBufferView) -> ByteBufferView? {
        guard line.count > name.utf8CodeUnitCount else { return nil }
        let isNamed = name.withUTF8Buffer { name in
            zip(line, name).allSatisfy { ($0 >= 65 && $0 <= 90 ? $0 + 32 : $0) == $1 }
        }
        guard isNamed else { return nil }
        return line.dropFirst(name.utf8CodeUnitCount).drop { $0 == UInt8(ascii: " ") }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
    }

    private func finish() {
        guard !isDone else { return }
        isDone = true
        done.succeed(answers + queue.map { ($0.text, BurstLoad.Answer(time: .now() - start)) })
        context?.close(promise: nil)
    }
}
