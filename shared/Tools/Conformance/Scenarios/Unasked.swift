package import Contracts

/// Calls of the contracts that no scenario asks, and why.
package enum Unasked {
    package static func reasons(of app: App) -> [String: String] {
        switch app {
        case .anlaka:
            [
                "GET /v1/log": "it would show other users' requests; a server should not serve it",
                "DISCONNECT /chats-{room_id}": "the app reads no answer to it",
            ]
        case .culture, .moup, .seatcatcher, .withsuhyeon: [:]
        }
    }
}
