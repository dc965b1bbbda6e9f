import AppClients
import StackKit

/// Faults of the external systems that the sandbox emulates, by its controls.
struct ProviderFaults: Sendable {
    let sandbox: SandboxClient

    /// The providers with faults.
    static let names = Programs.providers

    /// - Parameter sandbox: `http://host:port`.
    init(_ sandbox: String) { self.sandbox = SandboxClient(sandbox) }

    /// The next calls to a provider fail.
    ///
    /// - Parameter strength: The number of calls.
    func fail(_ provider: String, _ kind: FaultKind, _ strength: Int) throws(FaultNotApplied) -> FaultAction {
        let (fields, what): (JSON, String)
        switch kind {
        case .providerLate: (fields, what) = (["kind": "slow", "delay_ms": 1500], "late by 1.5 s")
        case .providerLost: (fields, what) = (["kind": "lost"], "lost after its effect")
        case .providerFails: (fields, what) = (["kind": "http", "status": 503], "503")
        case .providerSilent: (fields, what) = (["kind": "timeout"], "none")
        default: throw FaultNotApplied("\(kind.rawValue) is no fault of a provider.")
        }
        return FaultAction {
            try await set(provider, fields.merging(["count": .integer(Int64(strength))]))
            return "The answer to each of the next \(strength) calls of \(provider) was \(what)."
        } end: {
            try await clear(provider)
        }
    }

    /// PortOne sends the webhooks of the latest payments again, each twice at once.
    func webhooks(_ count: Int) -> FaultAction {
        FaultAction {
            let payments = try await sandbox.get("payments?limit=\(count)").json()["payments"]?.elements ?? []
            let ids = payments.compactMap { $0["imp_uid"]?.string }
            guard !ids.isEmpty else { throw FaultNotApplied("there was no payment yet.") }
            for id in ids { try await sandbox.post("payments/\(id)/webhook", ["times": 2, "delay_ms": 1]).json() }
            return "The webhooks of \(ids.count) payments were sent again, each twice at once."
        }
    }

    /// Ends the faults of all providers.
    func undo() async throws {
        for provider in Self.names { try await clear(provider) }
    }

    private func clear(_ provider: String) async throws { try await set(provider, ["kind": "timeout", "count": 0]) }

    private func set(_ provider: String, _ fields: JSON) async throws {
        let fault: JSON = ["provider": .string(provider)]
        try await sandbox.post("faults", .json(fault.merging(fields))).expect(204)
    }
}
