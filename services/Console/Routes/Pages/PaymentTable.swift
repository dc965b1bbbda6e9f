import Contracts

/// Payments at PortOne, with where the money of each is.
struct PaymentTable {
    let payments: [OperatorsAPI.OrderDetails.Payment]
    let language: Language

    var html: HTML {
        guard !payments.isEmpty else { return "<p class=\"none\">\(language("None.", "없습니다."))</p>" }
        let rows = payments.map { payment -> HTML in
            """
            <tr><td><a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(payment.impUID))">\(payment.impUID)</a></td>\
            <td>\(payment.status)<br>\(payment.verdict ?? "–")</td>\(cell(payment.paid, payment))\
            \(cell(payment.sold, payment))\(cell(payment.due, payment))\(cell(payment.cancelled, payment))\
            <td>\(Amounts.instant(payment.paidAt))</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">imp_uid</th><th scope="col">\(language("State, verdict", "상태·판정"))</th>\
            <th scope="col">\(language("Paid", "결제"))</th><th scope="col">\(language("Sold", "매출"))</th>\
            <th scope="col">\(language("To be refunded", "환불 예정"))</th>\
            <th scope="col">\(language("Refunded", "환불"))</th><th scope="col">\(language("Paid at", "결제 시각"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func cell(_ amount: Int64, _ payment: OperatorsAPI.OrderDetails.Payment) -> HTML {
        "<td class=\"amount\">\(Amounts.text(amount, language, payment.currency))</td>"
    }
}
