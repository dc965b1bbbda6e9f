import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1))) struct PortOneFaultTests {
    private static func cancel(_ impUid: String, of shop: PortOneShop) async throws -> Int {
        let order = #"{"imp_uid": "\#(impUid)"}"#
        return try await shop.sandbox.post("/portone/payments/cancel", json: order, authorization: shop.token).status
    }

    private struct CallList: Decodable {
        var calls: [Call]
    }

    @Test func lostFault_executesCall_withoutResponse() async throws {
        try await PortOneShop.run { shop in
            let impUid = try await shop.pay()
            try await shop.sandbox.order(#"{"provider": "portone", "kind": "lost", "count": 1}"#)
            let status = try await SandboxClient.status(
                of: { try await Self.cancel(impUid, of: shop) },
                until: { try await shop.state(impUid).status == "cancelled" }
            )
            #expect(status == nil)
            #expect(try await shop.cancel(#"{"imp_uid": "\#(impUid)"}"#).code == 1)
            #expect(try await shop.state(impUid).cancelHistory.count == 1)
        }
    }

    @Test func timeoutFault_doesNotExecuteCall() async throws {
        try await PortOneShop.run { shop in
            let impUid = try await shop.pay()
            try await shop.sandbox.order(#"{"provider": "portone", "kind": "timeout", "count": 1}"#)
            let status = try await SandboxClient.status(
                of: { try await Self.cancel(impUid, of: shop) },
                until: {
                    let calls = try await shop.sandbox.get("/_control/calls?provider=portone").decode(CallList.self)
                        .calls
                    return calls.contains { $0.path == "/payments/cancel" }
                }
            )
            #expect(status == nil)
            #expect(try await shop.state(impUid).status == "paid")
        }
    }

    @Test(arguments: [(#", "status": 200"#, 200), (#", "status": 500"#, 500), ("", 503)])
    func fault_hasEnvelopeOfPortOne(order: String, status: Int) async throws {
        try await PortOneShop.run { shop in
            let impUid = try await shop.pay()
            try await shop.sandbox.order(#"{"provider": "portone", "kind": "http", "count": 1\#(order)}"#)
            let reply = try await shop.get("payments/\(impUid)")
            #expect(reply.status == status)
            #expect(reply.code == -1)
            #expect(reply.message?.isEmpty == false)
            #expect(reply.response == nil)
            #expect(try await shop.get("payments/\(impUid)").code == 0)
        }
    }

    @Test func slowFault_returnsCorrectResponse() async throws {
        try await PortOneShop.run { shop in
            let impUid = try await shop.pay()
            try await shop.sandbox.order(#"{"provider": "portone", "kind": "slow", "delay_ms": 20, "count": 1}"#)
            #expect(try await shop.get("payments/\(impUid)").value.impUid == impUid)
        }
    }
}
