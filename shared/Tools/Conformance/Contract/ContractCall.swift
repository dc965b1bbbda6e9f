package import Apps
package import Contracts

/// One call of an app's contract.
package struct ContractCall: Sendable {
    package enum Kind: String, Sendable {
        case rest
        /// A frame of a WebSocket.
        case webSocket = "ws"
        case subscribe = "stomp-subscribe"
        case send = "stomp-send"
    }

    /// What a request carries.
    package struct RequestField: Sendable, Equatable {
        package enum Place: String, Sendable, CaseIterable {
            case header, path, query, body, multipart, part
        }

        package var place: Place
        package var name: String
        /// Its type and rules, in the contract's words.
        package var rule: String
    }

    /// A documented refusal.
    package struct Refusal: Sendable, Hashable {
        package var status: Int
        /// The app's own code; nil where the contract names none.
        package var code: String?
    }

    package var app: App
    package var kind: Kind
    /// `GET`, or the name of a frame.
    package var method: String
    /// `/v1/posts/{post_id}`, or a destination.
    package var path: String
    package var needsToken: Bool
    /// Who may make the call; nil for every user.
    package var role: String?
    package var request: [RequestField]
    package var response: ResponseShape
    /// The statuses of success, the usual one first; empty for frames.
    package var success: [Int]
    package var refusals: [Refusal]
    /// Whether a screen of the released app makes the call.
    package var isUsed: Bool
    package var feature: String

    /// `GET /v1/posts/{post_id}`.
    package var name: String { "\(method) \(path)" }

    package var httpMethod: Operation.Method? { kind == .rest ? Operation.Method(rawValue: method) : nil }

    /// The path's variables.
    package var variables: [Substring] { path.split(separator: "/").filter { $0.hasPrefix("{") } }
}
