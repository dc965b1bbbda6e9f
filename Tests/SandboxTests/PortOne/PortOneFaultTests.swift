import Testing

@testable import Sandbox

@Suite(.sandbox, .timeLimit(.minutes(1))) struct PortOneFaultTests {
    private static func cancel(_ impUid: String, of shop: PortOneShop) async throws -> Int {
        let order = #"{"imp_uid": "\#(impUid)"}"#
        return try await shop.sandbox.post("/portone/payments/cancel", json: order, authorization: shop.token).status
    }

    @Test func lostFault_executesCall_withoutResponse() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        try await shop.sandbox.fault("lost", of: "portone")
        let status = try await SandboxClient.status(
            of: { try await Self.cancel(impUid, of: shop) },
            until: { try await shop.state(impUid).status == "cancelled" }
        )
        #expect(status == nil)
        #expect(try await shop.cancel(#"{"imp_uid": "\#(impUid)"}"#).code == 1)
        #expect(try await shop.state(impUid).cancelHistory.count == 1)
    }

    @Test func timeoutFault_doesNotExecuteCall() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        try await shop.sandbox.fault("timeout", of: "portone")
        let status = try await SandboxClient.status(
            of: { try await Self.cancel(impUid, of: shop) },
            until: {
                let calls = try await shop.sandbox.calls(to: "portone")
                return calls.contains { $0.path == "/payments/cancel" }
            }
        )
        #expect(status == nil)
        #expect(try await shop.state(impUid).status == "paid")
    }

    @Test(arguments: [(200, 200), (500, 500), (nil, 503)])
    func fault_hasEnvelopeOfPortOne(ordered: Int?, status: Int) async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        try await shop.sandbox.fault("http", of: "portone", status: ordered)
        let reply = try await shop.get("payments/\(impUid)")
        #expect(reply.status == status)
        #expect(reply.code == -1)
        #expect(reply.message?.isEmpty == false)
        #expect(reply.response == nil)
        #expect(try await shop.get("payments/\(impUid)").code == 0)
    }

    @Test func slowFault_returnsCorrectResponse() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay()
        try await shop.sandbox.fault("slow", of: "portone", delay: 20)
        #expect(try await shop.get("payments/\(impUid)").value.impUid == impUid)
    }
}
