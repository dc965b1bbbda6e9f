import TestKit

@testable import Auth

/// A client of a simulated session.
struct SessionClient: Sendable {
    enum Name: String, Sendable, CaseIterable, CustomStringConvertible {
        case phone, tablet, thief

        var description: String { rawValue }
    }

    let name: Name
    var origin: Origin
    /// What it has stored; nil before a sign-in or a theft, and after the end of the session.
    var tokens: SessionTokens?
    /// The numbers of the requests that it waits for, in memory.
    private var awaited: Set<Int> = []
    private var lastNumber = 0
    /// The instant of the last request for tokens.
    private(set) var lastRefresh: Int64 = -.max / 2

    init(_ name: Name) {
        self.name = name
        origin =
            switch name {
            case .phone: Origin(address: "203.0.113.7", userAgent: "App/1 phone")
            case .tablet: Origin(address: "203.0.113.7", userAgent: "App/1 tablet")
            case .thief: Origin(address: "192.0.2.66", userAgent: "curl")
            }
    }

    mutating func crash() { awaited = [] }

    /// The next request; nil without tokens.
    ///
    /// - Parameter isSilent: Whether the gateway refreshes expired tokens on behalf of the client.
    mutating func request(at now: Int64, isSilent: Bool) -> SessionRequest? {
        guard let tokens else { return nil }
        lastNumber += 1
        awaited.insert(lastNumber)
        let isFresh = now < tokens.expiry
        if !isFresh { lastRefresh = now }
        return SessionRequest(
            client: name,
            number: lastNumber,
            kind: isFresh ? .call : isSilent ? .silentRefresh : .refresh,
            tokens: tokens,
            origin: origin
        )
    }

    /// - Returns: Whether the request is sent again.
    mutating func timeout(_ number: Int) -> Bool {
        awaited.remove(number) != nil && awaited.isEmpty
    }

    /// - Returns: Whether it goes on with another request.
    mutating func receive(_ answer: SessionAnswer, to request: SessionRequest) -> Bool {
        guard awaited.remove(request.number) != nil, request.tokens.session == tokens?.session else { return false }
        switch answer {
        case .done: return false
        case .tokens(let new):
            if new.generation >= tokens?.generation ?? 0 { tokens = new }
            return request.kind == .refresh
        case .expired:
            tokens?.expiry = 0
            return true
        case .refused:
            tokens = nil
            return false
        }
    }
}

/// The access token and the refresh token of a generation.
struct SessionTokens: Sendable, CustomStringConvertible {
    var session: Int
    var generation: Int
    /// When the access token expires, in milliseconds.
    var expiry: Int64

    var description: String { "tokens \(generation) of session \(session)" }
}
