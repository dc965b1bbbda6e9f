import Glibc
import NIOCore
import NIOPosix
import StackKit

/// Plain WebSockets through a gateway. Each sends numbered frames at a constant rate, and expects their echoes in order.
final class HandoverPhones: Sendable {
    private let eventLoop: any EventLoop
    private let tally: HandoverTally
    private let phones: NIOLoopBoundBox<[HandoverPhone]>

    init(on eventLoop: any EventLoop, _ tally: HandoverTally) {
        self.eventLoop = eventLoop
        self.tally = tally
        phones = .makeBoxSendingValue([], eventLoop: eventLoop)
    }

    /// Opens sockets, several at a time; returns when all are accepted.
    func open(_ count: Int, port: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<count {
                if number >= 64 { try await tasks.next() }
                tasks.addTask { try await self.open(port: port) }
            }
            try await tasks.waitForAll()
        }
        tally.opened(count)
    }

    private func open(port: Int) async throws {
        let opened = eventLoop.makePromise(of: Void.self)
        let tally = tally
        do {
            _ = try await ClientBootstrap(group: eventLoop)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let phone = HandoverPhone(tally, opened)
                        try channel.pipeline.syncOperations.addHandler(phone)
                        self.phones.value.append(phone)
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .get()
        } catch {
            opened.fail(error)
        }
        try await opened.futureResult.get()
    }

    /// Sends a frame on each socket once in a period, until the returned task is cancelled.
    func start(once period: Duration) async throws -> RepeatedTask {
        try await eventLoop.submit { [self] in
            let count = phones.value.count
            let pace = NIOLoopBound(Pace(rate: Double(count) / (period / .seconds(1))), eventLoop: eventLoop)
            return eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { [self] _ in
                let isUpgrading = tally.isUpgrading
                for number in pace.value.due() { phones.value[number % count].send(isUpgrading: isUpgrading) }
            }
        }.get()
    }

    /// Waits for the last echoes, counts those that do not come as lost, and closes the sockets.
    func close() async throws {
        for _ in 0..<500 {
            if try await eventLoop.submit({ self.phones.value.allSatisfy { $0.missing == 0 } }).get() { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        try await eventLoop.submit { for phone in self.phones.value { phone.finish() } }.get()
    }
}

private final class HandoverPhone: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let tally: HandoverTally
    private let opened: EventLoopPromise<Void>
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var isOpen = false
    private var isReset = false
    /// The status of the Close frame (RFC 6455 §7.4).
    private var code: UInt16?
    private var (sent, echoed): (UInt64, UInt64) = (0, 0)
    /// When the frames without an echo were sent.
    private var waiting = CircularBuffer<(time: NIODeadline, isUpgrading: Bool)>()

    init(_ tally: HandoverTally, _ opened: EventLoopPromise<Void>) {
        self.tally = tally
        self.opened = opened
    }

    /// The number of frames without an echo; 0 for a closed socket.
    var missing: Int { isOpen ? waiting.count : 0 }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        let handshake = """
            GET /seatcatcher HTTP/1.1\r\nHost: madang\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
            """
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: handshake)), promise: nil)
    }

    func send(isUpgrading: Bool) {
        guard isOpen, let context else { return }
        sent += 1
        waiting.append((.now(), isUpgrading))
        var frame = context.channel.allocator.buffer(capacity: 16)
        HandoverFrame.write(sent, fromPhone: true, into: &frame)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        if !isOpen {
            guard let end = received.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let head = received.readString(length: end.upperBound - received.readerIndex) ?? ""
            guard head.hasPrefix("HTTP/1.1 101") else {
                opened.fail(StackError("a WebSocket was refused: \(head.prefix(100))"))
                return context.close(promise: nil)
            }
            isOpen = true
            opened.succeed()
        }
        // Anything else than a number is a Close frame.
        while received.getInteger(at: received.readerIndex, as: UInt8.self) == 0x82,
            let number = HandoverFrame.number(&received)
        { take(number) }
        received.discardReadBytes()
        if received.getInteger(at: received.readerIndex, as: UInt8.self) == 0x88 {
            code = received.getInteger(at: received.readerIndex + 2)
            context.close(promise: nil)
        }
    }

    private func take(_ number: UInt64) {
        guard number > echoed else { return tally.countDoubled() }
        tally.lost(Int(number - echoed) - 1)
        for _ in echoed..<number {
            guard let frame = waiting.popFirst() else { continue }
            if waiting.count == sent - number {
                tally.echoed(after: .now() - frame.time, isUpgrading: frame.isUpgrading)
            }
        }
        echoed = number
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isReset = (error as? IOError)?.errnoCode == ECONNRESET
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        opened.fail(ChannelError.eof)
        guard isOpen else { return }
        isOpen = false
        tally.lost(waiting.count)
        let reason = code.map { "with status \($0)" } ?? "without a Close frame"
        tally.closed("a WebSocket ended \(reason)", isOpenSocket: true, isReset: isReset)
    }

    /// Closes the socket, which is not counted then.
    func finish() {
        guard isOpen else { return }
        isOpen = false
        tally.lost(waiting.count)
        context?.close(promise: nil)
    }
}
