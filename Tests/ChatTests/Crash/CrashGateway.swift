import Contracts
import NIOHTTP1
import TestKit

/// How clients of Anlaka reach the programs of the test.
struct CrashGateway: Sendable {
    let harness: CrashHarness
    /// Signs the clients' tokens.
    let key: TestKey

    func streamURL(_ name: String) -> String { harness.url(name, scheme: "ws") + "/v1/chats/stream" }

    /// The headers of a client's call through the gateway, or of the gateway's call to a copy of the service.
    func headers(of account: AccountID, to name: String) throws -> [(String, String)] {
        guard name == "gateway" else { return [StreamSubscriber.identity(account, of: .anlaka)] }
        let token = try key.token(.anlaka) {
            $0.sub = "\(account)"
            $0.sid = "s\(account)"
        }
        return [("SeSACKey", "anlaka-dev-key"), ("Authorization", token)]
    }

    /// Calls the gateway.
    ///
    /// - Returns: nil when the gateway has ended before it responded.
    func post(_ path: String, json: String, by account: AccountID) async throws -> CrashHarness.Answer? {
        let headers = try headers(of: account, to: "gateway")
        return try? await harness.call("gateway", .POST, path, json: json, headers: headers)
    }
}
