import Apps
import Contracts
import NIOCore

// MARK: - Responses from upstream services

extension ClientConnection {
    /// Handles the response head from the upstream service.
    ///
    /// - Parameters:
    ///   - answer: A final response head, not a protocol upgrade.
    ///   - bytes: The bytes of that head.
    func answerBegan(_ answer: ResponseHead, _ bytes: ByteBuffer, _ length: BodyLength) {
        guard let exchange else { return }
        exchange.answerBegan = true
        exchange.status = answer.status
        // The rest of the request body will not be read, so no further request can follow on this connection.
        if !exchange.body.isComplete || worker.isDraining { exchange.closes = true }
        deadlines.answerAdvanced()
        writeAnswerHead(answer, bytes, length, exchange)
    }

    func answerContinued(_ piece: ByteBuffer) {
        guard let exchange else { return }
        deadlines.answerAdvanced()
        exchange.bytesOut += piece.readableBytes
        if exchange.chunksAnswer { clientOut.writeImmutableBuffer(Chunk.start(of: piece.readableBytes)) }
        if piece.readableBytes <= Self.copyLimit {
            clientOut.writeImmutableBuffer(piece)
        } else {
            writeOut()
            hasUnflushed = true
            context?.write(Self.wrapOutboundOut(piece), promise: nil)
        }
        if exchange.chunksAnswer { clientOut.writeStaticString(Chunk.end) }
    }

    /// Writes and flushes the buffered response bytes.
    func flushAnswer() {
        guard clientOut.readableBytes > 0 || hasUnflushed else { return }
        writeOut()
        hasUnflushed = false
        context?.flush()
    }

    func answerEnded() {
        guard let exchange else { return }
        exchange.upstream = nil
        if exchange.chunksAnswer { clientOut.writeStaticString(Chunk.last) }
        finish(exchange)
        process()
    }

    /// Handles a response that failed or ended before it was complete.
    func upstreamFailed(_ failure: UpstreamFailure, _ endpoint: Endpoint) {
        guard let exchange else { return }
        exchange.upstream = nil
        guard !exchange.answerBegan else { return abort(exchange) }
        if failure == .broken, exchange.mayBeRepeated {
            // The other idle connections to this address are likely to be dead too, so the retry opens a new one.
            tryNext(exchange, mayReuse: false)
        } else {
            worker.failed(endpoint)
            refuseInFlight(.unavailable(exchange.app))
        }
        process()
    }

    private func writeOut() {
        guard clientOut.readableBytes > 0 else { return }
        context?.write(Self.wrapOutboundOut(clientOut), promise: nil)
        if clientOut.capacity > Self.keptCapacity { clientOut = ByteBuffer() } else { clientOut.clear() }
    }

    /// The largest buffer capacity, in bytes, that a connection keeps between two responses.
    private static let keptCapacity = 16 * 1024

    /// Closes the connection without completing the response, so that the client does not take a truncated response for
    /// a complete one.
    func abort(_ exchange: HTTPExchange) {
        exchange.upstream?.abandon()
        record(exchange)
        self.exchange = nil
        phase = .closed
        context?.close(promise: nil)
    }
}

// MARK: - Responses of the gateway

extension ClientConnection {
    /// Responds to bytes that are not a valid request and stops reading the connection.
    func refuseUnreadable(_ refusal: Refusal) {
        let exchange = HTTPExchange(
            meter: worker.gate.unknownRoute,
            app: refusal.app,
            method: .other,
            trace: TraceIDs(ids: &worker.ids),
            body: RequestBody(.none, limit: 0),
            closes: true,
            startedAt: deadlines.now
        )
        give(refusal.answer(requestID: exchange.trace.text), exchange)
    }

    /// Responds to a request that was not forwarded to a service.
    func refuse(_ refusal: Refusal, _ meter: RouteMeter) {
        let exchange = makeExchange(meter, refusal.app)
        inbound.moveReaderIndex(forwardBy: headSize)
        if refusal.closes { exchange.closes = true }
        give(refusal.answer(requestID: exchange.trace.text), exchange)
    }

    /// Responds to a request that is being forwarded to a service.
    func refuseInFlight(_ refusal: Refusal) {
        guard let exchange else { return }
        exchange.upstream?.abandon()
        exchange.upstream = nil
        guard !exchange.answerBegan else { return abort(exchange) }
        if refusal.closes { exchange.closes = true }
        give(refusal.answer(requestID: exchange.trace.text), exchange)
    }

    func answer(_ page: LocalPage) {
        let exchange = makeExchange(worker.gate.unknownRoute, nil)
        let isMOUP = worker.core.router.app(ofHost: head.host, in: inbound.readableBytesUInt8Span) == .moup
        inbound.moveReaderIndex(forwardBy: headSize)
        var answer = worker.pages.answer(page, isMOUP: isMOUP)
        if page == .preflight, exchange.origin != nil {
            var lines = ByteBuffer()
            CrossOriginPolicy.writePreflight(to: &lines)
            answer.headers = String(buffer: lines)
        }
        give(answer, exchange)
    }

    private func give(_ answer: LocalResponse, _ exchange: HTTPExchange) {
        exchange.status = answer.status
        exchange.bytesOut = answer.body.readableBytes
        exchange.answerBegan = true
        // Closing is cheaper than discarding a large body, and a client that waits for `100 Continue` may not send it
        // at all.
        if !exchange.body.isComplete, exchange.expectsContinue || exchange.body.isLarge { exchange.closes = true }
        writeLocal(answer, exchange)
        finish(exchange)
    }
}

// MARK: - End of an exchange

extension ClientConnection {
    private func finish(_ exchange: HTTPExchange) {
        record(exchange)
        self.exchange = nil
        if exchange.closes || worker.isDraining {
            linger()
        } else if exchange.body.isComplete {
            phase = .head
            deadlines.becameIdle()
        } else {
            discarded = exchange.body
            phase = .discarding
        }
    }

    func record(_ exchange: HTTPExchange) {
        let took = deadlines.now - exchange.startedAt
        exchange.meter.record(status: exchange.status, took: took)
        worker.log(
            AccessLog.Entry(
                method: exchange.method.spelling,
                path: exchange.method == .other ? nil : target.bytes[..<target.pathEnd],
                route: exchange.meter.name,
                app: exchange.app.spelling,
                status: exchange.status,
                bytesIn: exchange.body.count,
                bytesOut: exchange.bytesOut,
                took: took,
                client: address,
                requestID: exchange.trace.request,
                traceID: exchange.trace.trace,
                upstream: exchange.endpoint?.name ?? "-"
            )
        )
    }

    /// Discards the rest of a request body.
    ///
    /// - Returns: Whether the next request can be read.
    func discardRequestBody() -> Bool {
        do {
            try discarded.relay(&inbound) { _ in }
        } catch {
            linger()
            return true
        }
        guard discarded.isComplete else { return false }
        phase = .head
        deadlines.becameIdle()
        return true
    }

    /// Closes the sending side and waits for the client to close the other: closing with unread bytes would make the
    /// client's TCP stack discard the response (RFC 9112 §9.6).
    func linger() {
        phase = .lingering
        deadlines.lingers()
        flushAnswer()
        context?.close(mode: .output, promise: nil)
        readOver()
        resumeReading()
    }

    /// Discards the bytes received after the last response.
    func readOver() {
        lingered += inbound.readableBytes
        inbound = ByteBuffer()
        if lingered > limits.lingerSize { context?.close(promise: nil) }
    }

    /// Handles a connection that the client closed or that broke: cancels all work in progress for it.
    func clientGone() {
        guard phase != .closed else { return }
        phase = .closed
        leaveRefresh()
        if let exchange {
            exchange.upstream?.abandon()
            exchange.status = 499
            record(exchange)
            self.exchange = nil
        }
        context?.close(promise: nil)
    }
}

extension App? {
    /// The app's name in logs.
    fileprivate var spelling: StaticString {
        switch self {
        case .seatcatcher: "seatcatcher"
        case .moup: "moup"
        case .anlaka: "anlaka"
        case .culture: "culture"
        case .withsuhyeon: "withsuhyeon"
        case nil: "-"
        }
    }
}
