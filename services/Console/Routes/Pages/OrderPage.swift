import Contracts

/// One order with its payments, refunds, ledger, audit and webhooks.
struct OrderPage {
    let details: OperatorsAPI.OrderDetails
    let visitor: Operator
    let language: Language
    /// What makes a refund of this page happen once.
    let key: String

    private var order: OperatorsAPI.Order { details.order }

    var html: HTML {
        """
        <p class="facts">\(facts)</p>
        <dl>\(times)</dl>
        <h2>\(language("Payments", "결제"))</h2>
        \(PaymentTable(payments: details.payments, language: language).html)
        \(details.payments.filter { visitor.role == .act && $0.sold > 0 }.map(form))
        <h2>\(language("Refunds", "환불"))</h2>
        \(RefundTable(refunds: details.refunds, language: language).html)
        <h2>\(language("Ledger", "원장"))</h2>
        \(ledger)
        <h2>\(language("Audit", "감사 기록"))</h2>
        \(audit)
        <h2>\(language("Webhooks", "웹훅"))</h2>
        \(webhooks)
        """
    }

    private var facts: HTML {
        let parts = [
            order.state, Amounts.text(order.amount, language), order.name, order.app.rawValue,
            language("order \(order.id)", "주문 \(order.id)"),
        ]
        return """
            \(parts.map { "<span>\($0)</span>" as HTML })\
            <span>\(language("account", "계정")) \(HTML.account(order.account))</span>\
            <a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(order.code))">\(language("stories", "이야기"))</a>
            """
    }

    private var times: [HTML] {
        let times = [
            (language("Ordered", "주문"), Optional(order.createdAt)),
            (language("Registered with PortOne", "포트원 등록"), order.preparedAt),
            (language("Payable until", "결제 기한"), order.heldUntil), (language("Paid", "결제"), order.paidAt),
            (language("Last change of state", "마지막 상태 변경"), order.updatedAt),
        ]
        return times.map { "<dt>\($0)</dt><dd>\(Amounts.instant($1))</dd>" }
    }

    private func form(_ payment: OperatorsAPI.OrderDetails.Payment) -> HTML {
        let id = payment.impUID
        let most = Amounts.text(payment.sold, language, payment.currency)
        return """
            <form method="post" action="\(Layout.root)/money/orders/\(order.id)/refund">
            <input type="hidden" name="form" value="\(visitor.form)"><input type="hidden" name="key" value="\(key)">
            <input type="hidden" name="payment" value="\(id)">
            <label for="a-\(id)">\(language("Refund of \(id), all (\(most)) if empty", "\(id) 환불액, 비우면 전액(\(most))"))</label>
            <input id="a-\(id)" name="amount" type="number" min="1" max="\(payment.sold)" step="1">
            <label for="r-\(id)">\(language("Reason, which the payer sees", "사유(결제한 사람에게 보임)"))</label>
            <input id="r-\(id)" name="reason" required maxlength="100">
            <button>\(language("Refund", "환불"))</button></form>

            """
    }

    private var ledger: HTML {
        let rows = details.ledger.map { entry -> HTML in
            """
            <tr><td>\(Amounts.instant(entry.at))</td><td>\(entry.transaction) \(entry.kind)</td><td>\(entry.impUID)</td>\
            <td>\(entry.account)</td><td class="amount">\(Amounts.text(entry.amount, language, entry.currency))</td></tr>

            """
        }
        return table(
            [
                language("When", "시각"), language("Transaction", "거래"), "imp_uid", language("Account", "계정 과목"),
                language("Debit (+), credit (−)", "차변(+)·대변(−)"),
            ],
            rows
        )
    }

    private var audit: HTML {
        let rows = details.audit.map { note -> HTML in
            """
            <tr><td>\(Amounts.instant(note.at))</td><td>\(note.actor)</td><td>\(note.action)</td>\
            <td>\(note.impUID ?? "–")</td><td>\(note.detail ?? "")</td></tr>

            """
        }
        return table(
            [
                language("When", "시각"), language("Who", "누가"), language("What", "무엇을"), "imp_uid",
                language("Detail", "내용"),
            ],
            rows
        )
    }

    private var webhooks: HTML {
        let rows = details.webhooks.map { webhook -> HTML in
            """
            <tr><td>\(Amounts.instant(webhook.receivedAt))</td><td>\(webhook.impUID)</td><td>\(webhook.times)</td>\
            <td>\(Amounts.instant(webhook.dueAt))</td></tr>

            """
        }
        return table(
            [
                language("Last", "마지막"), "imp_uid", language("Times", "횟수"),
                language("PortOne is asked at", "포트원 확인 예정"),
            ],
            rows
        )
    }

    private func table(_ titles: [String], _ rows: [HTML]) -> HTML {
        guard !rows.isEmpty else { return "<p class=\"none\">\(language("None.", "없습니다."))</p>" }
        return """
            <table><thead><tr>\(titles.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }
}
