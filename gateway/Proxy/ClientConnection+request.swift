import Apps
import Authentication
import Contracts
import NIOCore

// MARK: - Reading and routing

extension ClientConnection {
    /// Reads a request head and starts handling the request.
    ///
    /// - Returns: false if nothing more can be done for now.
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
        decide(RequestPolicy.ResolvedDependencies())
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

    /// - Parameter known: The dependencies that have already been resolved for this request.
    func decide(_ known: RequestPolicy.ResolvedDependencies) {
        guard let bytes = inbound.getSlice(at: inbound.readerIndex, length: headSize) else { return }
        let request = RequestPolicy.RequestInfo(
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
            forward(exchange, to: forwarding.route.operation.service)
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

    /// Decides the request again once the published keys have been fetched or the fetch has failed. Bytes that the
    /// client sends meanwhile stay in the socket.
    private func awaitKeys(_ known: RequestPolicy.ResolvedDependencies) {
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
    ) -> HTTPExchange {
        let bytes = inbound.getSlice(at: inbound.readerIndex, length: headSize) ?? ByteBuffer()
        let size = meter.route.map { limits.bodySize($0.operation.body) } ?? limits.documentSize
        let exchange = HTTPExchange(
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

// MARK: - Forwarding

extension ClientConnection {
    /// Forwards the request to the best address of the service that this request has not failed on.
    func forward(_ exchange: HTTPExchange, to service: ServiceName) {
        deadlines.waitingForUpstream()
        guard let upstream = worker.upstream(service) else { return refuseInFlight(.unavailable(exchange.app)) }
        exchange.service = upstream
        tryNext(exchange)
    }

    /// - Parameter mayReuse: Whether a connection that has served other requests may be used.
    func tryNext(_ exchange: HTTPExchange, mayReuse: Bool = true) {
        guard let pool = pick(exchange) else { return refuseInFlight(.unavailable(exchange.app)) }
        exchange.endpoint = pool.endpoint
        // A service accepts a WebSocket upgrade only as the first request of a connection.
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

    /// The pool of the best address. If every address has failed this request, all are eligible again, since the
    /// failure may have been a short overload.
    private func pick(_ exchange: HTTPExchange) -> UpstreamPool? {
        let orUnready = exchange.meter.route?.operation.servedWhileUnready ?? false
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
        _ exchange: HTTPExchange
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

    /// Assigns the request to a connection; `process` sends it.
    private func send(_ exchange: HTTPExchange, on connection: UpstreamConnection, isReused: Bool) {
        exchange.upstream = connection
        exchange.isOnReusedConnection = isReused
        connection.begin(exchange.method, for: self)
        upstreamOut.moveReaderIndex(to: 0)
        if exchange.expectsContinue, inbound.readableBytes == 0, !exchange.body.isComplete { invite() }
    }

    /// Sends `100 Continue` to a client that waits for it before sending the body (RFC 9110 §10.1.1).
    private func invite() {
        context?.writeAndFlush(
            Self.wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")),
            promise: nil
        )
    }

    /// Forwards the received part of the body, preceded by the head if that has not been sent yet.
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

    /// Appends small pieces to the pending output; sends large ones without copying.
    private func write(_ piece: ByteBuffer, of exchange: HTTPExchange, to upstream: UpstreamConnection) {
        // The head is kept until the body begins, because the request may have to be sent again.
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

    /// Pieces up to this size, in bytes, are cheaper to copy than to write separately.
    static let copyLimit = 8 * 1024

    func upstreamBecameWritable() {
        process()
    }

    var hasSentWholeRequest: Bool {
        exchange?.body.isComplete ?? false
    }
}
