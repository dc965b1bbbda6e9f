import FoundationEssentials
import NIOCore

/// The client's side of the opening handshake (RFC 6455 §4.1): sends the request, validates the response, and is
/// replaced by the socket.
final class ClientHandshake: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let answerLimit = 16 * 1024

    private let request: WebSocketRequest
    private let socket: WebSocket
    private let promise: EventLoopPromise<NIOLoopBound<WebSocket>>
    private let key: String
    private var answer = ByteBuffer()
    private var isDone = false

    init(_ request: WebSocketRequest, socket: WebSocket, promise: EventLoopPromise<NIOLoopBound<WebSocket>>) {
        self.request = request
        self.socket = socket
        self.promise = promise
        self.key = Data((0..<16).map { _ in UInt8.random(in: 0 ... .max) }).base64EncodedString()
    }

    func channelActive(context: ChannelHandlerContext) {
        var head = "GET \(request.target) HTTP/1.1\r\nHost: \(request.host):\(request.port)\r\nConnection: Upgrade\r\n"
        head += "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: head + "\r\n")), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer.writeImmutableBuffer(Self.unwrapInboundIn(data))
        guard !isDone else { return }
        guard let end = answer.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if answer.readableBytes > Self.answerLimit { fail(.invalidAnswer, context) }
            return
        }
        let head = answer.readString(length: end.upperBound - answer.readerIndex) ?? ""
        if let error = fault(in: head) { return fail(error, context) }
        becomeWebSocket(context)
    }

    private func fault(in head: String) -> WebSocketClientError? {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return .invalidAnswer }
        guard status == 101 else { return .refused(status: status) }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        let accept = fields.first { $0.count == 2 && $0[0].lowercased() == "sec-websocket-accept" }
        return accept?[1].drop { $0 == " " } == Handshake.accept(forKey: key)[...] ? nil : .invalidAnswer
    }

    private func becomeWebSocket(_ context: ChannelHandlerContext) {
        isDone = true
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(socket)
        } catch {
            return fail(.closed, context)
        }
        promise.succeed(NIOLoopBound(socket, eventLoop: context.eventLoop))
        if answer.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(answer)) }
        pipeline.removeHandler(self, promise: nil)
    }

    private func fail(_ error: WebSocketClientError, _ context: ChannelHandlerContext) {
        isDone = true
        promise.fail(error)
        context.close(promise: nil)
    }

    /// The channel stays open for output when the server ends its side, so that it does not become inactive by itself.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !isDone, event as? ChannelEvent == .inputClosed { return fail(.closed, context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(WebSocketClientError.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }
}

/// A client's handshake request.
struct WebSocketRequest: Sendable {
    var host: String
    var port: Int
    /// Path and query.
    var target: String
    var headers: [(String, String)]

    init(_ url: String, headers: [(String, String)]) throws {
        guard let parts = URL(string: url), parts.scheme == "ws", let host = parts.host() else {
            throw WebSocketClientError.invalidURL(url)
        }
        self.host = host
        self.port = parts.port ?? 80
        let path = parts.path(percentEncoded: true)
        self.target = (path.isEmpty ? "/" : path) + (parts.query(percentEncoded: true).map { "?\($0)" } ?? "")
        self.headers = headers
    }
}
