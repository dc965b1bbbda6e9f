import AppClients
import Contracts

/// Asks every call that needs a token without one and with a forged one, and every call of an app with a key without the key.
struct TokenScenario {
    let stage: Stage

    /// Text that is no token, and one whose parts have the form of a token's.
    private static let forged = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjo0MTAyNDQ0ODAwfQ.c2lnbmF0dXJl"

    func play() async throws {
        stage.progress("requests without tokens")
        let unasked = Unasked.reasons(of: stage.app)
        for call in stage.contract.calls where call.kind == .rest && unasked[call.name] == nil {
            try await stage.part("tokens of \(call.name)", isShown: false) {
                if call.needsToken, !isRefresh(call) { try await refuse(call) }
                if stage.app.hasKey, !isKeyless(call) { try await refuseKeyless(call) }
            }
        }
    }

    private func refuse(_ call: ContractCall) async throws {
        let statuses = stage.app.hasKey ? [401, 403] : [401]
        let stranger = stage.stranger()
        try await stranger.refused(ask(call, as: "no token"), statuses)
        let forged = [.anlaka, .culture].contains(stage.app) ? Self.forged : "Bearer \(Self.forged)"
        try await stranger.refused(ask(call, as: "forged token", ["Authorization": forged]), statuses)
    }

    private func refuseKeyless(_ call: ContractCall) async throws {
        try await stage.stranger().refused(ask(call, as: "no key", ["SeSACKey": ""]), [420])
    }

    private func ask(_ call: ContractCall, as check: String, _ headers: [String: String] = [:]) -> Person.Ask {
        let hasBody = ["POST", "PUT", "PATCH"].contains(call.method)
        return Person.Ask(
            call: call.name,
            values: call.variables.map(value),
            headers: headers,
            body: hasBody ? [:] : nil,
            check: check
        )
    }

    /// The value of a path's variable, of the form that the app's ids have.
    private func value(_ variable: Substring) -> String {
        switch variable {
        case "{path}": "chats/none.jpg"
        case "{image_path}": "uploads/posts/none.jpg"
        default: stage.app.hasKey ? "aaaaaaaaaaaaaaaaaaaaaaaa" : "1"
        }
    }

    /// Refreshes are judged by the refresh token.
    private func isRefresh(_ call: ContractCall) -> Bool { call.path.hasSuffix("/refresh") }

    /// The city's open data, and what a web page calls, have no key.
    private func isKeyless(_ call: ContractCall) -> Bool {
        call.path.contains("culturalEventInfo") || call.path == "/event-application/attendance"
    }
}

extension App {
    /// Whether the app sends a key with every request.
    var hasKey: Bool { self == .anlaka || self == .culture }
}
