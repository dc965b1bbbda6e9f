import TestKit

@testable import Auth

/// The parties of a simulated session: clients reach auth by one of two gateways.
enum SessionParty: Hashable, Sendable, CustomStringConvertible {
    case client(SessionClient.Name)
    case gateway(Int)
    case auth

    var description: String {
        switch self {
        case .client(let name): name.rawValue
        case .gateway(let number): "gateway \(number)"
        case .auth: "auth"
        }
    }
}

/// What users and thieves do.
enum SessionInput: Sendable, CustomStringConvertible {
    /// A client calls the API, and refreshes its tokens if they have expired.
    case act(SessionClient.Name)
    /// A client does so twice at once.
    case actTwice(SessionClient.Name)
    /// A phone has another address from now on.
    case roam(SessionClient.Name)
    /// The thief copies the tokens of the phone.
    case steal

    var description: String {
        switch self {
        case .act(let name): "\(name) is used"
        case .actTwice(let name): "\(name) is used twice at once"
        case .roam(let name): "\(name) changes its network"
        case .steal: "the thief copies the phone's tokens"
        }
    }
}

/// A request of a client.
struct SessionRequest: Sendable, CustomStringConvertible {
    enum Kind: String, Sendable {
        case call, refresh
        /// A call that the gateway refreshes the tokens for.
        case silentRefresh = "call with refresh"
    }

    var client: SessionClient.Name
    /// Number among the client's requests.
    var number: Int
    var kind: Kind
    var tokens: SessionTokens
    var origin: Origin

    var description: String { "\(kind.rawValue) with \(tokens)" }
}

/// The answer to a request.
enum SessionAnswer: Sendable, CustomStringConvertible {
    case done
    case tokens(SessionTokens)
    /// The access token has expired.
    case expired
    /// The session has ended.
    case refused

    var description: String {
        switch self {
        case .done: "done"
        case .tokens(let tokens): "\(tokens)"
        case .expired: "the access token has expired"
        case .refused: "the session has ended"
        }
    }
}

enum SessionMessage: Sendable, CustomStringConvertible {
    case request(SessionRequest)
    case answer(SessionRequest, SessionAnswer)
    /// The gateway reports calls.
    case uses([SessionUse])
    case usesRecorded([SessionUse])

    var description: String {
        switch self {
        case .request(let request): "\(request)"
        case .answer(_, let answer): "\(answer)"
        case .uses(let uses):
            uses.map { "\($0.client) has called with tokens \($0.generation)" }.joined(separator: ", ")
        case .usesRecorded: "recorded"
        }
    }
}

/// A call with the access token of a generation.
struct SessionUse: Hashable, Sendable {
    /// Auth does not know it; the promises are checked with it.
    var client: SessionClient.Name
    var session: Int
    var generation: Int
}

enum SessionTimer: Sendable, CustomStringConvertible {
    /// A client has waited long enough for the answer to a request.
    case timeout(Int)
    /// A gateway reports uses.
    case report
    case act

    var description: String {
        switch self {
        case .timeout: "no answer, tries again"
        case .report: "reports uses"
        case .act: "is used"
        }
    }
}
