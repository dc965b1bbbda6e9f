import NIOCore

/// The client's side of one connection, on its event loop.
final class STOMPClientSession: WebSocketDelegate {
    let connected: EventLoopPromise<STOMPFrame>
    let ended: EventLoopPromise<WebSocketEnd>
    var subscriptions: [String: AsyncThrowingStream<STOMPFrame, any Error>.Continuation] = [:]
    private let eventLoop: any EventLoop
    private var socket: WebSocket?
    private var decoder: STOMPDecoder
    private var receipts: [String: EventLoopPromise<Void>] = [:]
    private let longestSilence: TimeAmount
    /// The error after which no more frames are expected.
    private var failure: STOMPClientError?

    /// - Parameter longestSilence: How long the server may take for CONNECTED, and for each receipt.
    init(_ eventLoop: any EventLoop, longestSilence: TimeAmount) {
        self.eventLoop = eventLoop
        self.longestSilence = longestSilence
        connected = eventLoop.makePromise()
        ended = eventLoop.makePromise()
        var limits = STOMPLimits()
        limits.bodySize = 16 * 1024 * 1024
        decoder = STOMPDecoder(limits)
    }

    func send(_ frame: STOMPFrame) {
        var bytes = ByteBuffer()
        bytes.writeString(frame.command)
        bytes.writeInteger(UInt8(0x0a))
        for entry in frame.headers.entries {
            var line = ByteBuffer()
            line.writeSTOMPHeader("", entry.value, escapes: frame.command != "CONNECT")
            bytes.writeString(entry.name)
            bytes.writeBuffer(&line)
        }
        bytes.writeInteger(UInt8(0x0a))
        bytes.writeImmutableBuffer(frame.body)
        bytes.writeInteger(UInt8(0))
        socket?.write(.text, bytes)
        socket?.flush()
    }

    func connect(_ frame: STOMPFrame) -> EventLoopFuture<STOMPFrame> {
        send(frame)
        return answer(connected)
    }

    /// Sends a frame that the server confirms with a receipt.
    func send(_ frame: STOMPFrame, confirmedBy receipt: String) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        if let failure { promise.fail(failure) } else { receipts[receipt] = promise }
        send(frame)
        return answer(promise)
    }

    /// The server's answer. A connection on which it does not come is given up.
    private func answer<Value: Sendable>(_ promise: EventLoopPromise<Value>) -> EventLoopFuture<Value> {
        let timer = eventLoop.assumeIsolated().scheduleTask(in: longestSilence) { [self] in giveUp() }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult
    }

    func giveUp() {
        socket?.close(.goingAway)
        fail(.noAnswer)
    }

    // MARK: WebSocketDelegate

    func opened(_ socket: WebSocket) {
        self.socket = socket
    }

    func received(_ message: WebSocketMessage) {
        guard case .text(let bytes) = message else { return }
        decoder.append(bytes)
        do {
            while let event = try decoder.next() {
                if case .frame(let frame) = event { take(frame) }
            }
        } catch {
            socket?.close(.protocolError)
        }
    }

    private func take(_ frame: STOMPFrame) {
        switch frame.command {
        case "CONNECTED":
            connected.succeed(frame)
        case "MESSAGE":
            subscriptions[frame.headers["subscription"] ?? ""]?.yield(frame)
        case "RECEIPT":
            receipts.removeValue(forKey: frame.headers["receipt-id"] ?? "")?.succeed()
        case "ERROR":
            fail(.error(frame))
        default:
            break
        }
    }

    private func fail(_ error: STOMPClientError) {
        guard failure == nil else { return }
        failure = error
        connected.fail(error)
        for promise in receipts.values { promise.fail(error) }
        for continuation in subscriptions.values { continuation.finish(throwing: error) }
        receipts = [:]
        subscriptions = [:]
    }

    func closed(_ end: WebSocketEnd) {
        socket = nil
        if case .closedByPeer(.normal, _) = end {
            for continuation in subscriptions.values { continuation.finish() }
            subscriptions = [:]
        }
        fail(.closed(end))
        ended.succeed(end)
    }
}
