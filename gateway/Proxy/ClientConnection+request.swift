import AppWire
import Authentication
import Contracts
import NIOCore

// MARK: - Reading and deciding

extension ClientConnection {
    /// Reads a head and starts what it asks for.
    ///
    /// - Returns: false when there is nothing more to do now.
    func readHead() -> Bool {
        deadlines.headBegan()
        do {
            guard try parseHead() else { return false }
        } catch {
            refuseUnreadable(Refusal(nil, fault: error))
            return true
        }
        phase = .deciding
        arrivedAt = deadlines.now
        renewed = nil
        decide(Gate.Known())
        return true
    }

    private func parseHead() throws(HTTPFault) -> Bool {
        let held = inbound
        let bytes = held.readableBytesUInt8Span
        guard let end = try scanner.end(of: bytes, sizeLimit: limits.headSize, lineLimit: limits.headLines) else {
            return false
        }
        scanner.reset()
        headSize = end
        let headBytes = bytes.extracting(0..<end)
        try head.read(headBytes, targetLimit: limits.targetSize)
        try target.read(headBytes.extracting(OriginForm.range(of: head, in: headBytes)))
        return true
    }

    /// - Parameter known: what the decision has waited for already.
    func decide(_ known: Gate.Known) {
        guard let bytes = inbound.getSlice(at: inbound.readerIndex, length: headSize) else { return }
        let request = Gate.Circumstances(
            bytes: bytes,
            peer: peer,
            peerAddress: address,
            known: known,
            seconds: worker.clock.seconds,
            now: deadlines.now
        )
        switch worker.gate.decide(head, &target, request) {
        case .forward(let forwarding):
            let exchange = makeExchange(forwarding.meter, forwarding.route.app, forwarding.principal)
            exchange.upgrade = forwarding.upgrade
            self.exchange = exchange
            writeUpstreamHead(exchange, forwarding.route)
            inbound.moveReaderIndex(forwardBy: headSize)
            phase = .exchange
            forward(exchange, to: forwarding.route.service)
        case .refuse(let refusal, let meter):
            refuse(refusal, meter)
        case .answer(let page):
            answer(page)
        case .awaitKeys:
            awaitKeys(known)
        case .awaitRefresh(let renewal):
            awaitRefresh(renewal, known)
        }
    }

    /// Comes back to the decision when the published keys are fresh, or cannot be had. What the phone sends meanwhile
    /// waits in its socket.
    private func awaitKeys(_ known: Gate.Known) {
        deadlines.waitingForUpstream()
        let connection = NIOLoopBound(self, eventLoop: worker.eventLoop)
        let eventLoop = worker.eventLoop
        worker.core.keys.refetch { outcome in
            eventLoop.execute {
                let connection = connection.value
                guard connection.phase == .deciding else { return }
                connection.wake()
                connection.worker.authenticator.followKeys()
                var known = known
                known.keys = outcome
                connection.decide(known)
                connection.process()
            }
        }
    }

    func makeExchange(
        _ meter: RouteMeter,
        _ app: App?,
        _ principal: Principal? = nil
    ) -> Exchange {
        let bytes = inbound.getSlice(at: inbound.readerIndex, length: headSize) ?? ByteBuffer()
        let size = meter.route.map { limits.bodySize($0.body) } ?? limits.documentSize
        let exchange = Exchange(
            meter: meter,
            app: app,
            principal: principal,
            method: head.method,
            trace: TraceIDs(
                parent: head.fields.value(.traceparent),
                in: bytes.readableBytesUInt8Span,
                ids: &worker.ids
            ),
            origin: worker.core.crossOrigin.origin(head.fields, of: bytes),
            body: RequestBody(head.body, limit: size),
            expectsContinue: head.expectsContinue,
            closes: head.fields.connection.close || worker.isDraining,
            startedAt: arrivedAt
        )
        exchange.renewed = renewed
        return exchange
    }
}

// MARK: - Sending

extension ClientConnection {
    /// Sends the request to the best address that has not failed it.
    func forward(_ exchange: Exchange, to service: ServiceName) {
        deadlines.waitingForUpstream()
        guard let upstream = worker.upstream(service) else { return refuseInFlight(.unavailable(exchange.app)) }
        exchange.service = upstream
        tryNext(exchange)
    }

    /// - Parameter mayReuse: whether a connection that has served other requests will do.
    func tryNext(_ exchange: Exchange, mayReuse: Bool = true) {
        guard let pool = pick(exchange) else { return refuseInFlight(.unavailable(exchange.app)) }
        exchange.endpoint = pool.endpoint
        // A service lets a connection become a WebSocket by its first request only.
        if mayReuse, exchange.upgrade == nil, let connection = pool.takeIdle() {
            return send(exchange, on: connection, isReused: true)
        }
        let mayReuse = mayReuse && exchange.upgrade == nil
        pool.connect(
            UpstreamPool.Waiting(mayReuse: mayReuse, isWanted: { self.exchange === exchange }) { [self] in
                connected($0, isReused: $1, pool, exchange)
            }
        )
    }

    /// The best address; when all have failed the request, they may have been overrun for a moment only.
    private func pick(_ exchange: Exchange) -> UpstreamPool? {
        let orUnready = exchange.meter.route?.worksUnready ?? false
        let service = exchange.service
        if let pool = service?.pick(except: exchange.tried, orUnready: orUnready, now: deadlines.now) { return pool }
        guard (1..<limits.connectAttempts).contains(exchange.failedConnects) else { return nil }
        exchange.tried = []
        return service?.pick(except: [], orUnready: orUnready, now: deadlines.now)
    }

    private func connected(
        _ result: Result<UpstreamConnection, any Error>,
        isReused: Bool,
        _ pool: UpstreamPool,
        _ exchange: Exchange
    ) {
        wake()
        switch result {
        case .success(let connection) where self.exchange === exchange:
            send(exchange, on: connection, isReused: isReused)
            process()
        case .success(let connection):
            pool.giveBack(connection, now: deadlines.now)
        case .failure:
            worker.failed(pool.endpoint)
            guard self.exchange === exchange else { return }
            exchange.tried.append(pool.endpoint)
            exchange.failedConnects += 1
            tryNext(exchange)
            process()
        }
    }

    /// Gives the request to a connection; `process` then sends it.
    private func send(_ exchange: Exchange, on connection: UpstreamConnection, isReused: Bool) {
        exchange.upstream = connection
        exchange.isOnReusedConnection = isReused
        connection.begin(exchange.method, for: self)
        upstreamOut.moveReaderIndex(to: 0)
        if exchange.expectsContinue, inbound.readableBytes == 0, !exchange.body.isComplete { invite() }
    }

    /// The phone waits to be asked for its body (RFC 9110 §10.1.1).
    private func invite() {
        context?.writeAndFlush(
            Self.wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
            promise: nil
        )
    }

    /// Sends on what has come of the body, with the head in front of it when that is still to be sent.
    func relayRequest() {
        guard let exchange, let upstream = exchange.upstream else { return }
        if !exchange.body.isComplete {
            guard upstream.isWritable else { return deadlines.bodyHeld() }
            do {
                try exchange.body.relay(&inbound) { write($0, of: exchange, to: upstream) }
            } catch {
                return refuseInFlight(Refusal(exchange.app, fault: error))
            }
            deadlines.bodyAdvanced(to: exchange.body.count)
        }
        guard upstreamOut.readableBytes > 0 || exchange.bodyBegan else { return }
        writeOut(to: upstream)
        upstream.flush()
        guard self.exchange === exchange, exchange.upstream === upstream else { return }
        if exchange.body.isComplete { deadlines.requestSent() } else { resumeReading() }
    }

    /// Small pieces go out with what is before them, large ones without being copied.
    private func write(_ piece: ByteBuffer, of exchange: Exchange, to upstream: UpstreamConnection) {
        // Until the body begins, the head is kept: it may have to be sent again.
        if upstreamOut.readableBytes == 0 { upstreamOut.clear() }
        exchange.bodyBegan = true
        if piece.readableBytes <= Self.copyLimit {
            upstreamOut.writeImmutableBuffer(piece)
        } else {
            writeOut(to: upstream)
            upstream.write(piece)
        }
    }

    private func writeOut(to upstream: UpstreamConnection) {
        guard upstreamOut.readableBytes > 0 else { return }
        upstream.write(upstreamOut)
        upstreamOut.moveReaderIndex(to: upstreamOut.writerIndex)
    }

    /// Pieces up to this size are cheaper to copy than to write alone.
    static let copyLimit = 8 * 1024

    func upstreamBecameWritable() {
        process()
    }

    var hasSentWholeRequest: Bool {
        exchange?.body.isComplete ?? false
    }
}
