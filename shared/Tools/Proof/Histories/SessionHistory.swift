/// The sessions of a run: how their tokens were answered, what ended them, and their sockets.
package struct SessionHistory: Sendable {
    package var uses: [TokenUse] = []
    package var ends: [SessionEnd] = []
    package var sockets: [SessionSocket] = []

    package init() {}
}

/// A call with a session's token. Its outcome is `refused` only when the token was refused, so that the phone was signed
/// out; any other answer of a service, such as 404, is `done`.
package struct TokenUse: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case call, refresh, socket
    }

    package var attempt: Attempt
    package var session: String
    package var kind: Kind
    /// When the presented token expires, as far as the phone knows.
    package var validUntil: Moment?

    package init(_ attempt: Attempt, session: String, _ kind: Kind = .call, validUntil: Moment? = nil) {
        (self.attempt, self.session, self.kind, self.validUntil) = (attempt, session, kind, validUntil)
    }
}

/// An act that ends a session.
package struct SessionEnd: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable {
        case signOut = "sign-out"
        /// By the owner, from another device.
        case revocation
        case withdrawal
        /// A second device presented a refresh token that was replaced.
        case theft
        /// By an operator.
        case operation = "an operator's act"
    }

    /// Of `theft`, the refused refresh; its outcome is `done` when the refusal says that the session has ended.
    package var attempt: Attempt
    package var session: String
    package var reason: Reason

    package init(_ attempt: Attempt, session: String, _ reason: Reason) {
        (self.attempt, self.session, self.reason) = (attempt, session, reason)
    }
}

/// A socket that was opened with a session.
package struct SessionSocket: Sendable, Hashable {
    package var phone: String
    package var session: String
    package var opened: Moment
    /// When the phone noticed that it was closed; nil when it was open at the end of the run.
    package var closed: Moment?
    package var trace: String?

    package init(phone: String, session: String, opened: Moment, closed: Moment?, trace: String? = nil) {
        (self.phone, self.session, self.opened, self.closed, self.trace) = (phone, session, opened, closed, trace)
    }
}

extension TokenUse {
    var step: Step {
        let text =
            switch kind {
            case .call: "called with a token"
            case .refresh: "refreshed its token"
            case .socket: "opened a socket"
            }
        return attempt.step("\(text) of session \(session)")
    }
}

extension SessionEnd {
    var step: Step { attempt.step("ended session \(session) by \(reason.rawValue)") }
}

extension SessionSocket {
    var steps: [Step] {
        [Step(at: opened, phone: phone, what: "has a socket of session \(session)", trace: trace)]
            + (closed.map { [Step(at: $0, phone: phone, what: "its socket was closed", trace: trace)] } ?? [])
    }
}
