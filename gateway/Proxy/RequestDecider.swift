import Authentication
import Contracts
import NIOCore
import ServiceKit

/// Decides the requests of a client connection by `RequestPolicy`, and resolves what a decision waits for.
struct RequestDecider {
    /// The outcome of a wait.
    enum Resolution: Sendable {
        case keys(PublishedKeys.Outcome)
        case refresh(RefreshCoordinator.Outcome)
    }

    private let loop: EventLoopContext
    /// Whether the client is a proxy that is trusted.
    private let isProxy: Bool
    /// When the head of the current request was complete.
    private var startedAt: NIODeadline?
    /// What has been resolved for the current request.
    private var known = RequestPolicy.ResolvedDependencies()
    /// The renewed tokens to send with the response.
    private var renewed: RenewedTokens?
    private var renewal: RequestPolicy.Renewal?
    private var ticket: RefreshCoordinator.Ticket?

    init(loop: EventLoopContext, isProxy: Bool) {
        self.loop = loop
        self.isProxy = isProxy
    }

    mutating func decide(_ reader: RequestReader, _ origin: RequestOrigin, now: NIODeadline) -> RequestPolicy.Decision {
        if startedAt == nil { startedAt = now }
        let request = RequestPolicy.RequestInfo(
            bytes: reader.headBytes,
            limit: origin.limit,
            address: origin.text,
            known: known,
            seconds: loop.clock.seconds,
            now: now
        )
        return reader.decide(loop.policy, request)
    }

    /// Creates the exchange of a decided request.
    ///
    /// - Parameter forwarding: nil if the gateway responds itself.
    func exchange(
        _ reader: RequestReader,
        _ meter: RouteMeter,
        _ app: App?,
        _ forwarding: RequestPolicy.Forwarding? = nil
    ) -> HTTPExchange {
        HTTPExchange(
            reader,
            meter,
            app,
            forwarding,
            renewed,
            isOfProxy: isProxy,
            on: loop,
            startedAt: startedAt ?? .now()
        )
    }

    /// Creates the exchange of a request that is not decided, or of bytes that are not a request.
    func exchange(_ reader: RequestReader, now: NIODeadline) -> HTTPExchange {
        guard reader.headSize > 0 else { return HTTPExchange(unreadableOn: loop, startedAt: now) }
        return exchange(reader, loop.policy.unknownRoute, nil)
    }

    /// Starts to resolve what a decision waits for.
    ///
    /// - Parameter resume: Called on the event loop, unless the result is not nil or the refresh is cancelled.
    /// - Returns: The outcome, if it is already known.
    mutating func resolve(
        _ dependency: RequestPolicy.Dependency,
        resume: @escaping (Resolution) -> Void
    ) -> Resolution? {
        let eventLoop = loop.eventLoop
        let bound = NIOLoopBound((loop, resume), eventLoop: eventLoop)
        switch dependency {
        case .keys:
            loop.core.keys.refetch { outcome in
                eventLoop.execute {
                    let (loop, resume) = bound.value
                    loop.authenticator.followKeys()
                    resume(.keys(outcome))
                }
            }
            return nil
        case .refresh(let renewal):
            self.renewal = renewal
            let result = loop.core.refreshes.wait(for: renewal.request) { _, outcome in
                eventLoop.execute {
                    let (loop, resume) = bound.value
                    loop.resumptions.add { resume(.refresh(outcome)) }
                }
            }
            if case .completed(let outcome) = result { return .refresh(outcome) }
            if case .waiting(let ticket) = result { self.ticket = ticket }
            return nil
        }
    }

    /// Records an outcome for the next decision about the request.
    mutating func add(_ resolution: Resolution) {
        ticket = nil
        switch resolution {
        case .keys(let outcome): known.keys = outcome
        case .refresh(let outcome):
            known.refresh = outcome
            guard case .tokens(let tokens) = outcome else { return }
            renewed = RenewedTokens(
                tokens,
                isInCookie: renewal?.isInCookie ?? false,
                isSecure: loop.core.configuration.environment == .production,
                now: loop.clock.seconds
            )
        }
    }

    /// Stops waiting for a refresh, which then counts as failed.
    mutating func giveUp() {
        cancel()
        add(.refresh(.unavailable))
    }

    /// Forgets the outcomes for a request that is decided or no longer needed.
    mutating func reset() {
        cancel()
        startedAt = nil
        known = RequestPolicy.ResolvedDependencies()
        renewed = nil
        renewal = nil
    }

    private mutating func cancel() {
        if let ticket { loop.core.refreshes.cancel(ticket) }
        ticket = nil
    }
}
