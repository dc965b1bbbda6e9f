import Contracts

/// The newest orders, what differs from PortOne, and refunds that it has not made yet.
struct MoneyPage {
    /// What was looked for.
    let query: String
    let state: String?
    let account: AccountID?
    /// nil if the payments service does not answer; so the others.
    let orders: OperatorsAPI.Orders?
    let refunds: [OperatorsAPI.OrderDetails.Refund]?
    let comparisons: [OperatorsAPI.Comparison]?
    let language: Language

    static let states = ["open", "paid", "expired", "refunded"]

    var html: HTML {
        """
        \(forms)
        <p><a href="\(Layout.root)/money/differences">\(language("Comparisons with PortOne", "포트원 대사"))</a> · \
        <a href="\(Layout.root)/money/payslip">\(language("Payslips", "급여명세서"))</a></p>
        \(refundSection)
        \(differenceSection)
        <h2>\(query.isEmpty ? language("The newest orders", "최근 주문") : language("Found", "찾은 주문"))</h2>
        \(orderSection)
        """
    }

    private var forms: HTML {
        let options = ([""] + Self.states).map { one -> HTML in
            let mark: HTML = one == state ?? "" ? " selected" : ""
            return "<option value=\"\(one)\"\(mark)>\(one.isEmpty ? language("all", "전체") : one)</option>"
        }
        return """
            <form action="\(Layout.root)/money">
            <label for="find">\(language("Order, merchant_uid, imp_uid", "주문·merchant_uid·imp_uid"))</label>
            <input id="find" name="find" type="search" value="\(query)"> <button>\(language("Find", "찾기"))</button></form>
            <form action="\(Layout.root)/money">
            <label for="state">\(language("State", "상태"))</label> <select id="state" name="state">\(options)</select>
            <label for="account">\(language("Account", "계정"))</label>
            <input id="account" name="account" inputmode="numeric" value="\(account.map { "\($0)" } ?? "")">
            <button>\(language("Show", "보기"))</button></form>
            """
    }

    private var refundSection: HTML {
        guard let refunds, !refunds.isEmpty else { return "" }
        return """
            <h2>\(language("Refunds under way", "진행 중인 환불"))</h2>
            \(RefundTable(refunds: refunds, language: language).html)
            """
    }

    /// What the last comparison has left.
    private var differenceSection: HTML {
        guard let last = comparisons?.first(where: \.isFinished) else { return "" }
        let open = last.differences.filter { !$0.isMended }
        let about: HTML =
            open.isEmpty
            ? "<p>\(language("The last comparison has left no difference.", "최근 대사에서 남은 차이가 없습니다."))</p>"
            : "\(DifferencesPage.table(open, language))"
        return "<h2>\(language("Open differences", "남은 차이")) · \(last.day)</h2>\(about)"
    }

    private var orderSection: HTML {
        guard let orders else { return "" }
        guard !orders.orders.isEmpty || !orders.payments.isEmpty else {
            return "<p class=\"none\">\(language("There is no such order.", "해당하는 주문이 없습니다."))</p>"
        }
        let rows = orders.orders.map { order -> HTML in
            """
            <tr><td>\(Amounts.instant(order.createdAt))</td>\
            <td><a href="\(Layout.root)/money/orders/\(order.id)">\(order.code)</a><br>\(order.name)</td>\
            <td>\(order.app.rawValue)</td><td>\(HTML.account(order.account))</td><td>\(order.state)</td>\
            <td class="amount">\(Amounts.text(order.amount, language))</td></tr>

            """
        }
        let payments: HTML =
            orders.payments.isEmpty
            ? ""
            : """
            <p>\(language("This payment belongs to no order:", "주문이 없는 결제:"))</p>\
            \(PaymentTable(payments: orders.payments, language: language).html)
            """
        guard !rows.isEmpty else { return payments }
        return """
            \(payments)<table><thead><tr><th scope="col">\(language("When", "시각"))</th>\
            <th scope="col">\(language("Order", "주문"))</th><th scope="col">\(language("App", "앱"))</th>\
            <th scope="col">\(language("Account", "계정"))</th><th scope="col">\(language("State", "상태"))</th>\
            <th scope="col">\(language("Amount", "금액"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }
}
