import AppWire
import Contracts
import NIOCore

// MARK: - The answer of a service

extension ClientConnection {
    /// - Parameters:
    ///   - answer: the head; final, and no upgrade.
    ///   - bytes: those of the head.
    func answerBegan(_ answer: ResponseHead, _ bytes: ByteBuffer, _ length: BodyLength) {
        guard let exchange else { return }
        exchange.answerBegan = true
        exchange.status = answer.status
        // What is left of the request's body will not be read, so nothing can follow it.
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

    /// Sends what has been written of the answer.
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

    /// The service gave no whole answer.
    func upstreamFailed(_ failure: UpstreamFailure, _ endpoint: Endpoint) {
        guard let exchange else { return }
        exchange.upstream = nil
        guard !exchange.answerBegan else { return abort(exchange) }
        if failure == .broken, exchange.mayBeRepeated {
            // Its other idle connections are as likely to be dead, so the next try is on a new one.
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

    /// What a connection keeps of a buffer between two answers.
    private static let keptCapacity = 16 * 1024

    /// An answer that cannot be ended ends with the connection: what is missing must not look like the end.
    func abort(_ exchange: Exchange) {
        exchange.upstream?.abandon()
        record(exchange)
        self.exchange = nil
        phase = .closed
        context?.close(promise: nil)
    }
}

// MARK: - The gateway's own answers

extension ClientConnection {
    /// Answers what is no request. Nothing is known of it, and nothing after it is read.
    func refuseUnreadable(_ refusal: Refusal) {
        let exchange = Exchange(
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

    /// Answers a request that no service has seen.
    func refuse(_ refusal: Refusal, _ meter: RouteMeter) {
        let exchange = makeExchange(meter, refusal.app)
        inbound.moveReaderIndex(forwardBy: headSize)
        if refusal.closes { exchange.closes = true }
        give(refusal.answer(requestID: exchange.trace.text), exchange)
    }

    /// Answers a request that was on its way to a service.
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

    private func give(_ answer: LocalAnswer, _ exchange: Exchange) {
        exchange.status = answer.status
        exchange.bytesOut = answer.body.readableBytes
        exchange.answerBegan = true
        // A body that is not worth reading over, or that will only be sent when asked for.
        if !exchange.body.isComplete, exchange.expectsContinue || exchange.body.isLarge { exchange.closes = true }
        writeLocal(answer, exchange)
        finish(exchange)
    }
}

// MARK: - The end of an exchange

extension ClientConnection {
    private func finish(_ exchange: Exchange) {
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

    func record(_ exchange: Exchange) {
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

    /// Reads over the rest of a request's body.
    ///
    /// - Returns: whether the next request can be read.
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

    /// Ends the sending side and waits for the phone to end the other: were the connection closed with bytes unread, the
    /// phone's system would throw away the answer (RFC 9112 §9.6).
    func linger() {
        phase = .lingering
        deadlines.lingers()
        flushAnswer()
        context?.close(mode: .output, promise: nil)
        readOver()
        resumeReading()
    }

    /// Throws away what comes after the last answer.
    func readOver() {
        lingered += inbound.readableBytes
        inbound = ByteBuffer()
        if lingered > limits.lingerSize { context?.close(promise: nil) }
    }

    /// The phone has closed, or the connection broke: whatever is done for it is stopped.
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
    /// For logs.
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
