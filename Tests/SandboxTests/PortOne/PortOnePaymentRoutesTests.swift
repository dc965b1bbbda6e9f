import FoundationEssentials
import Testing

@testable import Sandbox

@Suite(.sandbox) struct PortOnePaymentRoutesTests {
    private let sandbox = SandboxClient.current

    /// Any JSON value.
    private struct Something: Decodable, Sendable {
        init(from decoder: any Decoder) {}
    }

    @Test func payment_hasEveryField() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay(more: #", "name": "방", "buyer_name": "김""#)
        let reply = try await shop.sandbox.get("/portone/payments/\(impUid)", authorization: shop.token)
        struct Raw: Decodable {
            var response: [String: Something]
        }
        let fields = try JSONDecoder().decode(Raw.self, from: Data(reply.text.utf8)).response.keys
        let expected = """
            imp_uid merchant_uid pay_method channel pg_provider emb_pg_provider pg_tid pg_id sandbox escrow apply_num \
            bank_code bank_name card_code card_name card_issuer_code card_issuer_name card_publisher_code \
            card_publisher_name card_quota card_number card_type vbank_code vbank_name vbank_num vbank_holder \
            vbank_date vbank_issued_at name amount cancel_amount currency buyer_name buyer_email buyer_tel buyer_addr \
            buyer_postcode custom_data user_agent status started_at paid_at failed_at cancelled_at fail_reason \
            cancel_reason receipt_url cancel_history cancel_receipt_urls cash_receipt_issued customer_uid \
            customer_uid_usage
            """
        #expect(fields.sorted() == expected.split(separator: " ").map(String.init).sorted())
        #expect(reply.text.contains(#""amount":12000,"#))
        #expect(reply.text.contains(#""bank_code":null,"#))
        #expect(reply.text.contains(#""failed_at":0,"#))
        #expect(reply.text.hasPrefix(#"{"code":0,"message":null,"response":{"#))

        let payment = try reply.portOne(PortOneAnswer.Payment.self).value
        #expect(payment.impUid == impUid)
        #expect(impUid.hasPrefix("imp_") && impUid.count == 16)
        #expect(payment.merchantUid == "ABCD123456")
        #expect(payment.status == "paid")
        #expect(payment.name == "방")
        #expect(payment.buyerName == "김")
        #expect(payment.paidAt > 0)
    }

    @Test(arguments: ["imp_000000000000", "find/UNKNOWN", "find/ABCD123456/failed"])
    func unknownPayment_returns404(path: String) async throws {
        let shop = try await PortOneShop()
        _ = try await shop.pay()
        let reply = try await shop.get("payments/\(path)")
        #expect(reply.status == 404)
        #expect(reply.code == -1)
        #expect(reply.message?.isEmpty == false)
    }

    @Test func order_isFoundByItsLatestAttempt() async throws {
        let shop = try await PortOneShop()
        let order = "A B%/1"
        let paid = try await shop.pay(order)
        let failed = try await shop.pay(order, more: #", "status": "failed""#)
        _ = try await shop.pay("ANOTHER")
        let path = "payments/find/A%20B%25%2F1"
        #expect(try await shop.get(path).value.impUid == failed)
        #expect(try await shop.get("\(path)/all").value.impUid == failed)
        #expect(try await shop.get("\(path)/paid").value.impUid == paid)
        #expect(try await shop.get("\(path)/lost").status == 400)
        #expect(try await shop.get("\(path)/lost").message?.contains("payment_status") == true)
    }

    @Test func attemptsOfOrder_arePaged() async throws {
        let shop = try await PortOneShop()
        var tries: [String] = []
        for _ in 0..<5 { tries.append(try await shop.pay(more: #", "status": "failed""#)) }
        let paid = try await shop.pay()
        tries = (tries + [paid]).reversed()

        let path = "payments/findAll/ABCD123456"
        let whole = try await shop.get(path, as: PortOneAnswer.Page.self).value
        #expect(whole.list.map(\.impUid) == tries)
        #expect([whole.total, whole.previous, whole.next] == [6, 0, 0])
        let first = try await shop.get("\(path)?limit=2", as: PortOneAnswer.Page.self).value
        #expect(first.list.map(\.impUid) == Array(tries[..<2]))
        #expect([first.total, first.previous, first.next] == [6, 0, 2])
        let last = try await shop.get("\(path)?limit=2&page=3", as: PortOneAnswer.Page.self).value
        #expect(last.list.map(\.impUid) == Array(tries[4...]))
        #expect([last.total, last.previous, last.next] == [6, 2, 0])
        let beyond = try await shop.get("\(path)?page=1000000&limit=1000", as: PortOneAnswer.Page.self).value
        #expect(beyond.list.isEmpty)
        let ofStatus = try await shop.get("\(path)/paid", as: PortOneAnswer.Page.self).value
        #expect(ofStatus.list.map(\.impUid) == [paid])
        let none = try await shop.get("payments/findAll/UNKNOWN", as: PortOneAnswer.Page.self)
        #expect(none.code == 0)
        let page = try none.value
        #expect([page.total, page.previous, page.next, page.list.count] == [0, 0, 0, 0])
    }

    @Test func statusList_isFilteredByStartTime() async throws {
        let shop = try await PortOneShop()
        let now = PortOneTime.now
        let day = 86_400
        let middle = try await shop.pay("B", more: #", "paid_at": \#(now - 10 * day)"#)
        let old = try await shop.pay("A", more: #", "paid_at": \#(now - 80 * day)"#)
        let ancient = try await shop.pay("Z", more: #", "paid_at": \#(now - 100 * day)"#)
        let new = try await shop.pay("C")
        let failed = try await shop.pay("D", more: #", "status": "failed", "paid_at": \#(now - 5 * day)"#)

        func list(_ query: String) async throws -> [String] {
            let path = "payments/status/\(query)"
            return try await shop.get(path, as: PortOneAnswer.Page.self).value.list.map(\.impUid)
        }
        #expect(try await list("paid") == [new, middle, old])
        #expect(try await list("paid?sorting=started") == [old, middle, new])
        #expect(try await list("all") == [new, failed, middle, old])
        #expect(try await list("all?limit=1&page=2") == [failed])
        #expect(try await list("failed") == [failed])
        #expect(try await list("ready").isEmpty)
        #expect(try await list("all?to=\(now - 50 * day)") == [old, ancient])
        #expect(try await list("all?from=\(now - 100 * day)") == [middle, old, ancient])
        #expect(try await list("all?from=\(now - 20 * day)&to=\(now - 5 * day)") == [failed, middle])
    }

    @Test(arguments: [
        ("status/lost", "payment_status"), ("status/all?limit=0", "limit"), ("status/all?limit=1001", "limit"),
        ("status/all?limit=x", "limit"), ("status/all?page=0", "page"), ("findAll/A?page=-1", "page"),
        ("status/all?from=x", "from"), ("status/all?to=-1", "to"), ("status/all?from=2&to=1", "from"),
        ("status/all?from=0&to=7776001", "90"), ("findAll/A/lost", "payment_status"),
        ("status/all?page=99999999999999999999", "page"),
    ])
    func invalidQuery_namesField(path: String, word: String) async throws {
        let shop = try await PortOneShop()
        let reply = try await shop.get("payments/\(path)", as: PortOneAnswer.Page.self)
        reply.expectRefusal(400, word)
    }

    @Test func sandboxPayments_canBeExcluded() async throws {
        let shop = try await PortOneShop()
        let impUid = try await shop.pay(more: #", "sandbox": true"#)
        #expect(try await shop.get("payments/\(impUid)").value.sandbox)
        #expect(try await shop.get("payments/\(impUid)?include_sandbox=true").value.sandbox)
        #expect(try await shop.get("payments/\(impUid)?include_sandbox=false").status == 404)
    }

    @Test func unknownPath_returns404InFormatOfPortOne() async throws {
        let shop = try await PortOneShop()
        let reply = try await shop.get("nothing/here")
        #expect(reply.status == 404)
        #expect(reply.code == -1)
    }
}
