import Glibc
package import NIOCore
import NIOPosix
import Synchronization

/// One end of a TCP connection, byte by byte: what tests speak HTTP with, rightly or wrongly. It is closed when nothing refers
/// to it any more.
package final class RawConnection: Sendable {
    package let channel: any Channel
    private let input: RawInput

    private init(channel: any Channel, input: RawInput) {
        self.channel = channel
        self.input = input
    }

    deinit { channel.close(promise: nil) }

    /// - Parameter isReading: false leaves what comes in the system's buffers, until `startReading`.
    package static func connect(to port: Int, isReading: Bool = true) async throws -> RawConnection {
        let input = RawInput()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: isReading)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawHandler(input))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        return RawConnection(channel: channel, input: input)
    }

    /// Puts a connection into a new channel.
    package static func add(to channel: any Channel) throws -> RawConnection {
        let input = RawInput()
        try channel.pipeline.syncOperations.addHandler(RawHandler(input))
        return RawConnection(channel: channel, input: input)
    }

    package func startReading() async throws {
        try await channel.setOption(.autoRead, value: true).get()
        channel.read()
    }

    // MARK: Sending

    package func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }

    package func send(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(bytes).get() }

    /// Sends each byte in a packet of its own.
    package func sendSlowly(_ text: String) async throws {
        for byte in text.utf8 { try await send(ByteBuffer(bytes: [byte])) }
    }

    package func closeOutput() async throws { try await channel.close(mode: .output).get() }

    package func close() async { try? await channel.close().get() }

    /// Breaks the connection with a RST.
    package func reset() async {
        try? await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        await close()
    }

    // MARK: Receiving

    /// Whether the other side has ended, and everything it sent was taken.
    package var isEnded: Bool { input.state.withLock { $0.isEnded && $0.received.readableBytes == 0 } }

    /// Everything until the end of the connection.
    package func readToEnd() async -> String {
        while true {
            let (isEnded, events) = input.state.withLock { ($0.isEnded, $0.events) }
            if isEnded || Task.isCancelled { break }
            await input.change(after: events)
        }
        return input.take { $0.readSlice(length: $0.readableBytes) }.map { String(buffer: $0) } ?? ""
    }

    /// Takes what `take` finds, waiting for more bytes while it finds nothing; nil when the connection or the test's time ends
    /// first.
    package func read<Value>(_ take: (inout ByteBuffer) -> Value?) async -> Value? {
        while true {
            let (isEnded, events) = input.state.withLock { ($0.isEnded, $0.events) }
            if let value = input.take(take) { return value }
            if isEnded || Task.isCancelled { return nil }
            await input.change(after: events)
        }
    }
}

/// What has been received on a connection.
private final class RawInput: Sendable {
    struct State {
        var received = ByteBuffer()
        var isEnded = false
        /// Counts what has happened, so that nothing is missed between looking and waiting.
        var events = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let state = Mutex(State())

    func take<Value>(_ take: (inout ByteBuffer) -> Value?) -> Value? {
        state.withLock { state in
            var bytes = state.received
            guard let value = take(&bytes) else { return nil }
            state.received = bytes
            return value
        }
    }

    /// Waits for something to happen, or until the task is cancelled.
    func change(after events: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNews = state.withLock { state in
                    if state.events != events || Task.isCancelled { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isNews { continuation.resume() }
            }
        } onCancel: {
            change { _ in }
        }
    }

    func change(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            state.events += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

private final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let input: RawInput

    init(_ input: RawInput) { self.input = input }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        input.change { $0.received.writeBuffer(&bytes) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { input.change { $0.isEnded = true } }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        input.change { $0.isEnded = true }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { input.change { $0.isEnded = true } }
}
