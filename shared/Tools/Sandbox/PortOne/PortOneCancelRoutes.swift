import Hummingbird

/// `POST /payments/cancel`: refunds a payment completely or partially.
struct PortOneCancelRoutes: Sendable {
    let payments: PortOnePayments
    let webhooks: PortOneWebhooks

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("cancel", use: cancel)
    }

    private func cancel(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let fields = try await PortOneFields(request, context)
        let impUid = try impUid(fields)
        let sum = try fields.amount("amount").flatMap { $0 == .zero ? nil : $0 }
        let checksum = try fields.amount("checksum")
        let reason = try fields.text("reason")
        let sendsWebhook = try fields.flag("enable_webhook")
        // Card refunds need no bank account, but values that are given must have the right type.
        for name in ["tax_free", "vat_amount"] { _ = try fields.amount(name) }
        for name in ["refund_holder", "refund_bank", "refund_account", "refund_tel"] { _ = try fields.text(name) }

        let payment = try payments.change(impUid) { payment in
            try payment.cancel(sum, checksum: checksum, reason: reason, at: PortOneTime.now)
        }
        if sendsWebhook { webhooks.sendWithRetries(PortOneWebhook(payment, status: "cancelled")) }
        return try .portOne(payment)
    }

    /// The payment to refund. For an order it is the one that was paid last, or else the last one.
    private func impUid(_ fields: PortOneFields) throws -> String {
        if let impUid = try fields.text("imp_uid") { return impUid }
        guard let merchantUid = try fields.text("merchant_uid") else {
            throw PortOneError.bad("imp_uid", "imp_uid 또는 merchant_uid를 지정하셔야 합니다.")
        }
        let tries = payments.payments(of: merchantUid)
        guard let payment = tries.last(where: { $0.status == .paid }) ?? tries.last else {
            throw PortOneError.unknownPayment
        }
        return payment.impUid
    }
}
