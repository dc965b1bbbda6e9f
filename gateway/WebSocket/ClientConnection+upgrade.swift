import Authentication
import NIOCore

extension ClientConnection {
    /// Handles a 101 response. If the handshake is valid, the two connections become a tunnel.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the response head.
    ///   - rest: The bytes after the head, which are the first frames.
    func upstreamSwitched(_ answer: ResponseHead, _ bytes: ByteBuffer, rest: ByteBuffer) {
        guard let exchange, let upstream = exchange.upstream else { return }
        guard let upgrade = exchange.upgrade, upgrade.isAccepted(by: answer, bytes.readableBytesUInt8Span),
            let clientPlace = context, let servicePlace = upstream.leave()
        else {
            if let endpoint = exchange.endpoint { worker.failed(endpoint) }
            refuseInFlight(.unavailable(exchange.app))
            return process()
        }
        exchange.upstream = nil
        exchange.answerBegan = true
        exchange.status = 101
        writeSwitchingHead(answer, bytes, exchange)
        flushAnswer()
        record(exchange)
        self.exchange = nil
        phase = .closed

        let tunnel = Tunnel(
            worker: worker,
            endpoint: exchange.endpoint,
            session: exchange.principal?.claims.session
        )
        let early = inbound
        inbound = ByteBuffer()
        do {
            try clientPlace.channel.setReadBuffer(least: 256, first: 1024, most: 4 * 1024)
            try servicePlace.channel.setReadBuffer(least: 256, first: 1024, most: 32 * 1024)
            try clientPlace.pipeline.syncOperations.addHandler(tunnel.client)
            try servicePlace.pipeline.syncOperations.addHandler(tunnel.service)
        } catch {
            return tunnel.cut()
        }
        tunnel.opened()
        clientPlace.pipeline.syncOperations.removeHandler(self, promise: nil)
        servicePlace.pipeline.syncOperations.removeHandler(upstream, promise: nil)
        tunnel.service.relay(rest)
        tunnel.client.relay(early)
        tunnel.client.flush()
        tunnel.service.flush()
        clientPlace.channel.read()
        servicePlace.channel.read()
    }

    private func writeSwitchingHead(_ answer: ResponseHead, _ bytes: ByteBuffer, _ exchange: HTTPExchange) {
        clientOut.writeStaticString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n")
        clientOut.writeFields(answer.fields, of: bytes.readableBytesUInt8Span) {
            exchange.drops($0)
        }
        if let renewed = exchange.renewed { clientOut.writeImmutableBuffer(renewed.lines) }
        clientOut.writeStaticString("X-Request-Id: ")
        clientOut.writeHex(exchange.trace.request)
        clientOut.writeStaticString("\r\n\r\n")
    }
}

extension Channel {
    /// Configures one read buffer, in bytes, that is kept for the lifetime of the connection. It is small because
    /// tunnels are many and clients send little. A service sends several messages at a time, so the buffer of a busy
    /// tunnel grows to take them with one read and one write.
    fileprivate func setReadBuffer(least: Int, first: Int, most: Int) throws {
        try syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: least, initial: first, maximum: most)
        try syncOptions?.setOption(.recvAllocator, value: allocator)
    }
}

extension UpgradeRequest {
    /// Whether a response accepts this handshake (RFC 6455 §4.1).
    func isAccepted(by answer: ResponseHead, _ bytes: Span<UInt8>) -> Bool {
        guard answer.fields.connection.upgrade, let upgrade = answer.fields.value(.upgrade),
            bytes.matches("websocket", in: upgrade), let accepted = answer.fields.value(.webSocketAccept)
        else { return false }
        return accepted.count == accept.count && accepted.allSatisfy { bytes[$0] == accept[$0 - accepted.lowerBound] }
    }
}
