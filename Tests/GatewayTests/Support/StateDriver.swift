import NIOCore

@testable import Gateway

/// Drives the state of a client connection without a channel.
struct StateDriver {
    var state: ClientConnectionState
    /// Received bytes that the state has not taken.
    var input = ByteBuffer()
    let limits: Limits
    static let bodyLimit = 1000

    init(_ configure: (inout Limits) -> Void = { _ in }) {
        var limits = Limits()
        configure(&limits)
        self.limits = limits
        state = ClientConnectionState(limits, now: .uptimeNanoseconds(1))
    }

    // MARK: Inputs

    mutating func receive(_ text: String) -> ConnectionAction {
        input.writeString(text)
        return state.next(&input)
    }

    /// The next action without further input.
    mutating func next() -> ConnectionAction { state.next(&input) }

    /// Lets time pass and checks the deadline.
    mutating func wait(_ time: TimeAmount) -> ConnectionAction {
        state.now = state.now + time
        return state.checkDeadline(hasInput: input.readableBytes > 0)
    }

    mutating func respond(closing: Bool = false) -> Bool { state.respond(closing: closing, bodyLimit: Self.bodyLimit) }

    /// Ends the service's response.
    ///
    /// - Returns: Whether the gateway writes the last chunk, and whether the connection closes.
    mutating func end() -> [Bool] {
        let (isChunked, closes) = state.responseEnded()
        return [isChunked, closes]
    }

    // MARK: States

    /// The head of a request has been read.
    static func deciding(
        _ request: RequestProperties = RequestProperties(),
        _ configure: (inout Limits) -> Void = { _ in }
    ) -> StateDriver {
        var driver = StateDriver(configure)
        driver.decide(request)
        return driver
    }

    mutating func decide(_ request: RequestProperties = RequestProperties()) {
        _ = receive("head")
        input.clear()
        state.headRead(request)
    }

    /// The request waits for a connection.
    static func connecting(
        _ request: RequestProperties = RequestProperties(),
        _ configure: (inout Limits) -> Void = { _ in }
    ) -> StateDriver {
        var driver = deciding(request, configure)
        driver.state.forward(bodyLimit: bodyLimit)
        return driver
    }

    /// The head has been sent to the service, and the received part of the body.
    static func forwarding(
        _ request: RequestProperties = RequestProperties(),
        isReused: Bool = false,
        _ configure: (inout Limits) -> Void = { _ in }
    ) -> StateDriver {
        var driver = connecting(request, configure)
        _ = driver.state.connected(isReused: isReused, isWritable: true, hasInput: false)
        _ = driver.next()
        _ = driver.next()
        return driver
    }

    /// The response has begun.
    static func responding(
        _ request: RequestProperties = RequestProperties(),
        _ configure: (inout Limits) -> Void = { _ in }
    ) -> StateDriver {
        var driver = forwarding(request, configure)
        _ = driver.state.responseBegan(.bytes(10))
        return driver
    }

    /// The gateway has responded, and the body is still to come.
    static func discarding(_ configure: (inout Limits) -> Void = { _ in }) -> StateDriver {
        var driver = deciding(RequestProperties(body: .bytes(10)), configure)
        _ = driver.respond()
        return driver
    }

    static func lingering(_ configure: (inout Limits) -> Void = { _ in }) -> StateDriver {
        var driver = deciding(RequestProperties(), configure)
        _ = driver.respond(closing: true)
        return driver
    }

    static func tunnelling() -> StateDriver {
        var driver = forwarding()
        driver.state.protocolSwitched()
        return driver
    }

    static func closed() -> StateDriver {
        var driver = StateDriver()
        _ = driver.state.clientClosed()
        return driver
    }

    /// Whether the connection reads the next request.
    mutating func readsNextRequest() -> Bool { receive("next") == .readHead }
}

extension RequestProperties {
    static let post = RequestProperties(body: .bytes(10), isIdempotent: false)
    static let put = RequestProperties(body: .bytes(10))
}
