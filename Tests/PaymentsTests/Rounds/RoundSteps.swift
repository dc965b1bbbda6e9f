import Apps
import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Values

/// The steps of accounts, PortOne and operators in a round. Every status is checked against the contract.
struct RoundSteps: Sendable {
    let service: RoundsService
    let record: RoundsRecord

    /// A placed order.
    struct Ordered: Sendable {
        var app: App
        var code: String
        var account: AccountID
        /// The listing or the post.
        var subject: String
        var amount: Int64
        var heldUntil: Date
    }

    // MARK: Accounts

    /// Retries the order until the answer is not 503.
    func order(_ subject: String, of app: App, by account: AccountID, key: String?, seed: UInt64) async -> Ordered? {
        struct Body: Decodable {
            var orderCode: String?
            var merchantUid: String?
            var totalPrice: Int64?
            var price: Int64?
            var expiresAt: String
        }
        var random = SplitMix(state: seed)
        let (path, field) = app == .anlaka ? ("/v1/orders", "estate_id") : ("/v1/payments/prepare", "post_id")
        for _ in 0..<20 {
            let json = #"{"\#(field)":"\#(subject)"}"#
            let copy = Int.random(in: 0...1, using: &random)
            let answer = await service.call(.POST, path, json, app: app, by: account, key: key, at: copy)
            note("order", answer, [200, 409, 503])
            if let answer, answer.status == 200 {
                guard let body: Body = try? answer.snakeCaseJSON(), let heldUntil = SeSACInstant(body.expiresAt)?.date,
                    let code = body.orderCode ?? body.merchantUid, let amount = body.totalPrice ?? body.price
                else {
                    record.defect("an order is answered \(answer.text)")
                    return nil
                }
                return Ordered(
                    app: app,
                    code: code,
                    account: account,
                    subject: subject,
                    amount: amount,
                    heldUntil: heldUntil
                )
            }
            if answer?.status == 409 { return nil }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 100..<500, using: &random)))
        }
        return nil
    }

    func giveUp(_ order: Ordered, at copy: Int) async {
        let answer = await service.call(.DELETE, "/v1/orders/\(order.code)", app: .anlaka, by: order.account, at: copy)
        note("give up", answer, [200, 409, 503])
    }

    /// Validates a payment.
    ///
    /// - Parameters:
    ///   - post: the purchased post, in Seoul Culture.
    ///   - mayConfirm: whether 200 is a permitted answer.
    func validate(
        _ impUID: String,
        post: String? = nil,
        by account: AccountID,
        key: String? = nil,
        mayConfirm: Bool,
        at copy: Int
    ) async {
        let more = post.map { #","post_id":"\#($0)""# } ?? ""
        let json = #"{"imp_uid":"\#(impUID)"\#(more)}"#
        let app: App = post == nil ? .anlaka : .culture
        let path = "/v1/payments/validation"
        let answer = await service.call(.POST, path, json, app: app, by: account, key: key, at: copy)
        let refusals: Set = app == .anlaka ? [400, 404, 409, 445, 503] : [400, 409, 410, 503]
        note("validate", answer, refusals.union([200]))
        guard let answer, answer.status == 200 else { return }
        guard mayConfirm else {
            return record.defect("\(impUID) is confirmed to \(account), which must not be: \(answer.text)")
        }
        record.confirmed(impUID, RoundObservations.Confirmation(account: account, body: answer.text))
    }

    // MARK: PortOne

    /// Makes a payment in PortOne's window; the payment's `imp_uid`.
    ///
    /// - Parameter units: the amount as PortOne writes it.
    func pay(
        _ code: String,
        _ units: Double,
        currency: String = "KRW",
        status: String = "paid",
        isTest: Bool = false
    ) async throws -> String {
        struct Body: Decodable { var impUid: String }
        let json = """
            {"merchant_uid":"\(code)","amount":\(units),"currency":"\(currency)","status":"\(status)","sandbox":\(isTest)}
            """
        return try await service.control("payments", json).snakeCaseJSON(Body.self).impUid
    }

    /// Completes a payment that was `ready`.
    ///
    /// - Parameter cancelled: won that are cancelled at the same time.
    func complete(_ impUID: String, cancelled: Int64? = nil) async throws {
        if let cancelled { record.cancelled(impUID, cancelled) }
        let more = cancelled.map { #","cancel_amount":\#($0)"# } ?? ""
        _ = try await service.control("payments/\(impUID)", #"{"status":"paid"\#(more)}"#)
    }

    /// Cancels won of a payment in PortOne's console, unless fewer are left, and sends the webhook.
    func cancel(_ impUID: String, _ amount: Int64, seed: UInt64) async {
        record.touch(impUID)
        guard (try? await service.control("payments/\(impUID)", #"{"cancel_amount":\#(amount)}"#)) != nil else {
            return
        }
        record.cancelled(impUID, amount)
        record.count("cancelled in the console")
        await sendWebhook(impUID, "cancelled", cancellation: "c\(seed)", seed: seed)
    }

    /// Sends PortOne's webhook once.
    @discardableResult
    func notify(_ impUID: String, _ status: String, cancellation: String? = nil, at copy: Int) async -> Bool {
        let more = cancellation.map { #","cancellation_id":"\#($0)""# } ?? ""
        let json = #"{"imp_uid":"\#(impUID)","merchant_uid":"any","status":"\#(status)"\#(more)}"#
        let answer = await service.call(.POST, "/notices/portone", json, app: .anlaka, at: copy)
        note("webhook", answer, [200, 503])
        return answer?.status == 200
    }

    /// Sends PortOne's webhook until it is accepted.
    func sendWebhook(_ impUID: String, _ status: String = "paid", cancellation: String? = nil, seed: UInt64) async {
        var random = SplitMix(state: seed)
        for attempt in 0..<200 {
            if await notify(impUID, status, cancellation: cancellation, at: attempt) { return }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 50..<300, using: &random)))
        }
        record.defect("the webhook of \(impUID) was never accepted")
    }

    // MARK: Operators

    /// Requests a refund until it is made or refused.
    ///
    /// - Parameter amount: won; nil for all.
    func refund(_ impUID: String, _ amount: Int64?, key: String, at copy: Int) async {
        record.touch(impUID)
        let part = amount.map { #""amount":\#($0),"# } ?? ""
        let json = #"{\#(part)"reason":"고객 요청","operator":"하늘"}"#
        for attempt in 0..<200 {
            let answer = await service.operate(
                "/internal/payments/\(impUID)/refunds",
                json,
                key: key,
                at: copy + attempt
            )
            note("refund", answer, [200, 400, 503])
            if let answer, answer.status != 503 { return }
            try? await Task.sleep(for: .milliseconds(300))
        }
        record.defect("the refund of \(impUID) was neither made nor refused")
    }

    private func note(_ what: String, _ answer: CrashHarness.Answer?, _ allowed: Set<Int>) {
        guard let answer else { return record.count("\(what) lost") }
        record.count("\(what) \(answer.status)")
        if !allowed.contains(answer.status) { record.defect("\(what) is answered \(answer.status) \(answer.text)") }
    }
}
