import FoundationEssentials
import Hummingbird
import Synchronization
import TestKit
import Testing

@testable import Proof

@Suite(.timeLimit(.minutes(5))) struct ProviderFaultTests {
    /// The controls of a sandbox, as far as faults use them.
    private final class Controls: Sendable {
        struct Fault: Decodable, Equatable, Sendable {
            var provider: String
            var kind: String
            var count: Int
        }

        let faults = Mutex<[Fault]>([])
        let webhooks = Mutex<[String]>([])
        let payments: [String]

        init(payments: [String] = []) { self.payments = payments }

        func add(to router: Router<BasicRequestContext>) {
            router.post("/_control/faults") { request, context in
                let fault = try await request.decode(as: Fault.self, context: context)
                self.faults.withLock { $0.append(fault) }
                return HTTPResponse.Status.noContent
            }
            router.answer("/_control/payments") { _, _ in
                ["payments": self.payments.map { ["imp_uid": $0] }]
            }
            router.post("/_control/payments/:id/webhook") { request, context in
                let body = try await request.body.collect(upTo: 1000)
                self.webhooks.withLock { $0.append("\(context.parameters.get("id") ?? "") \(String(buffer: body))") }
                return "{}"
            }
        }
    }

    private func run(
        _ controls: Controls,
        _ body: @escaping @Sendable (ProviderFaults) async throws -> Void
    ) async throws {
        try await StubService.run(controls.add) { try await body(ProviderFaults($0)) }
    }

    @Test(
        arguments: [
            (FaultKind.providerLate, "slow"), (.providerLost, "lost"), (.providerFails, "http"),
            (.providerSilent, "timeout"),
        ]
    )
    func fault_isSet_andClearedAtTheEnd(kind: FaultKind, name: String) async throws {
        let controls = Controls()
        try await run(controls) { faults in
            let action = try faults.fail("kakao", kind, 3)
            #expect(try await action.begin().contains("the next 3 calls of kakao"))
            try await action.end()
        }
        let expected = [(name, 3), ("timeout", 0)].map { Controls.Fault(provider: "kakao", kind: $0, count: $1) }
        #expect(controls.faults.withLock(\.self) == expected)
    }

    @Test func undo_clearsAllProviders() async throws {
        let controls = Controls()
        try await run(controls) { try await $0.undo() }
        let faults = controls.faults.withLock(\.self)
        #expect(faults.map(\.provider) == ProviderFaults.names && faults.allSatisfy { $0.count == 0 })
    }

    @Test func webhooks_areSentTwice() async throws {
        let controls = Controls(payments: ["imp_2", "imp_1"])
        try await run(controls) { faults in
            let sentence = try await faults.webhooks(2).begin()
            #expect(sentence == "The webhooks of 2 payments were sent again, each twice at once.")
        }
        let sent = controls.webhooks.withLock(\.self)
        #expect(sent.map { $0.prefix(5) } == ["imp_2", "imp_1"] && sent.allSatisfy { $0.contains("\"times\":2") })
    }

    @Test func webhooksWithoutPayments_areNotApplied() async throws {
        try await run(Controls()) { faults in
            await #expect(throws: FaultNotApplied("there was no payment yet.")) { try await faults.webhooks(2).begin() }
        }
    }

    @Test func kindOfSomethingElse_isNotApplied() {
        #expect(throws: FaultNotApplied.self) { try ProviderFaults("http://127.0.0.1:1").fail("kakao", .kill, 1) }
    }
}
