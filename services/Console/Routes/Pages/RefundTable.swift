import Contracts

/// Refunds with what PortOne has answered.
struct RefundTable {
    let refunds: [OperatorsAPI.OrderDetails.Refund]
    let language: Language

    var html: HTML {
        guard !refunds.isEmpty else { return "<p class=\"none\">\(language("None.", "없습니다."))</p>" }
        let rows = refunds.map { refund -> HTML in
            let failed: HTML = refund.doneAt == nil && refund.lastError != nil ? " class=\"failed\"" : ""
            let order: HTML =
                refund.order.map { "<a href=\"\(Layout.root)/money/orders/\($0)\">\(refund.impUID)</a>" }
                ?? "\(refund.impUID)"
            return """
                <tr\(failed)><td>\(Amounts.instant(refund.requestedAt))</td><td>\(order)</td>\
                <td class="amount">\(Amounts.text(refund.amount, language, refund.currency))</td><td>\(refund.reason)</td><td>\(answer(to: refund))</td></tr>

                """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Requested", "요청"))</th><th scope="col">imp_uid</th>\
            <th scope="col">\(language("Amount", "금액"))</th><th scope="col">\(language("Reason", "사유"))</th>\
            <th scope="col">PortOne</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func answer(to refund: OperatorsAPI.OrderDetails.Refund) -> String {
        if let doneAt = refund.doneAt {
            return language("refunded ", "환불함 ") + Amounts.instant(doneAt)
        }
        guard let error = refund.lastError else { return language("not answered yet", "아직 응답 없음") }
        return language(
            "\(refund.attempts) attempts, next \(Amounts.instant(refund.dueAt)): \(error)",
            "\(refund.attempts)회 시도, 다음 \(Amounts.instant(refund.dueAt)): \(error)"
        )
    }
}
