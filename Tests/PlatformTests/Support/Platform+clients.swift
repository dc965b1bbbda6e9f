import AppClients
import Apps
import Contracts
import Postgres
import TestKit
import Testing

extension Platform {
    /// Records what an app could not read.
    static let observer: ClientObserver = { event in
        if case .fault(let error) = event { Issue.record(error) }
    }

    var sandboxClient: SandboxClient { SandboxClient(sandbox) }

    /// Clients of apps with a key, before the sign-in.
    var anlaka: AnlakaClient { AnlakaClient(gateway, key: AppKey.anlaka, observer: Self.observer) }
    var culture: CultureClient { CultureClient(gateway, key: AppKey.culture, observer: Self.observer) }

    /// Sends a request without a key and without a token.
    func send(
        _ method: Operation.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        try await HTTPTransport(gateway).send(method, path, headers: headers, body: body)
    }

    /// Makes the next calls to a provider fail.
    func fault(_ provider: String, count: Int64, status: Int64 = 503) async throws {
        let fault: RequestBody = [
            "provider": "\(provider)", "kind": "http", "status": .integer(status), "count": .integer(count),
        ]
        try await sandboxClient.post("faults", fault).expect(204)
    }

    /// Whether all services have erased an account's data.
    func hasLeft(_ account: AccountID) async throws -> Bool {
        try await authDatabase.client.one(
            "SELECT finished_at IS NOT NULL FROM withdrawals WHERE account_id = \(account)"
        ) { try $0.decode(Bool.self) }
    }
}
