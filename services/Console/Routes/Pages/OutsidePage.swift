import Contracts
import Values

/// What is outside: calls of providers, and in development the stand-in for them, with its bad days.
struct OutsidePage {
    let arrows: [Arrow]
    /// nil where there is no stand-in, or where it does not answer.
    let sandbox: Sandbox?
    /// Whether there should be a stand-in.
    let hasSandbox: Bool
    let visitor: Operator
    let language: Language

    /// What the stand-in has.
    struct Sandbox: Sendable {
        var faults: SandboxControls.Faults
        var texts: [SandboxControls.Text]
        var pushes: [SandboxControls.Push]
        var payments: [SandboxControls.Payment]
        var trains: [SandboxControls.Train]
    }

    var html: HTML {
        """
        <h2>\(language("Calls of the last hour", "지난 한 시간의 호출"))</h2>
        \(NowPage.table(of: arrows, language))
        \(inside)
        """
    }

    private var inside: HTML {
        guard let sandbox else {
            return hasSandbox
                ? "<p class=\"failed\">\(language("The sandbox does not answer.", "샌드박스가 응답하지 않습니다."))</p>"
                : "<p class=\"none\">\(language("The providers are the real ones: there is no sandbox here.", "실제 외부 서비스를 사용하므로 샌드박스가 없습니다."))</p>"
        }
        return """
            <h2>\(language("Bad days", "장애 연습"))</h2>
            \(faults(sandbox.faults))
            <h2>\(language("Lock screens", "잠금 화면"))</h2>
            <div class="locks">\(sandbox.pushes.map { LockScreenPicture(push: $0).html })</div>\(none(sandbox.pushes))
            <h2>\(language("Text messages", "문자 메시지"))</h2>
            \(texts(sandbox.texts))
            <h2>\(language("Payments at PortOne", "포트원 결제"))</h2>
            \(payments(sandbox.payments))
            <h2>\(language("Trains beside the timetable", "시간표 외 열차"))</h2>
            \(trains(sandbox.trains))
            """
    }

    private func none(_ list: some Collection) -> HTML {
        list.isEmpty ? "<p class=\"none\">\(language("None.", "없습니다."))</p>" : ""
    }

    // MARK: Bad days

    private func faults(_ list: SandboxControls.Faults) -> HTML {
        let rows = list.faults.map { fault -> HTML in
            """
            <tr class="failed"><td>\(fault.provider)</td><td>\(fault.kind)\(fault.status.map { " \($0)" } ?? "")</td>\
            <td>\(fault.count)</td><td>\(end(of: fault))</td></tr>

            """
        }
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"none\">\(language("All providers work.", "모든 외부 서비스가 정상입니다."))</p>"
            : """
            <table><thead><tr><th scope="col">\(language("Provider", "서비스"))</th>\
            <th scope="col">\(language("How calls fail", "실패 방식"))</th>\
            <th scope="col">\(language("Calls left", "남은 호출"))</th><th scope="col">\(language("Act", "조치"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
        guard visitor.role == .act else { return table }
        let providers = list.providers.map { "<option>\($0)</option>" as HTML }
        let kinds = SandboxControls.kinds.map { "<option value=\"\($0)\">\(meaning(of: $0))</option>" as HTML }
        return """
            \(table)
            <form class="row" method="post" action="\(Layout.root)/outside/faults">
            <input type="hidden" name="form" value="\(visitor.form)">
            <label for="provider">\(language("Provider", "서비스"))</label><select id="provider" name="provider">\(providers)</select>
            <label for="kind">\(language("Its next calls", "다음 호출"))</label><select id="kind" name="kind">\(kinds)</select>
            <label for="count">\(language("How many", "횟수"))</label>
            <input id="count" name="count" type="number" min="1" max="1000" value="5" required>
            <label for="reason">\(language("Reason", "사유"))</label><input id="reason" name="reason" required maxlength="200">
            <button>\(language("Begin", "시작"))</button></form>
            """
    }

    private func end(of fault: SandboxControls.Fault) -> HTML {
        guard visitor.role == .act else { return "" }
        return """
            <form method="post" action="\(Layout.root)/outside/faults">
            <input type="hidden" name="form" value="\(visitor.form)">
            <input type="hidden" name="provider" value="\(fault.provider)">
            <input type="hidden" name="kind" value="\(fault.kind)"><input type="hidden" name="count" value="0">
            <label for="end-\(fault.provider)">\(language("Reason", "사유"))</label>
            <input id="end-\(fault.provider)" name="reason" required maxlength="200">
            <button>\(language("End", "종료"))</button></form>
            """
    }

    private func meaning(of kind: String) -> String {
        switch kind {
        case "timeout": language("are not answered", "응답 없음")
        case "lost": language("take effect, and the answer is lost", "처리되지만 응답 유실")
        case "slow": language("are answered after 2 s", "2초 뒤 응답")
        default: language("are answered 503", "503 응답")
        }
    }

    // MARK: Lists

    private func texts(_ list: [SandboxControls.Text]) -> HTML {
        guard !list.isEmpty else { return none(list) }
        let rows = list.map { "<tr><td>\($0.at)</td><td>\($0.to)</td><td>\($0.text)</td></tr>\n" as HTML }
        return """
            <table><thead><tr><th scope="col">\(language("When", "시각"))</th><th scope="col">\(language("To", "받는 번호"))</th>\
            <th scope="col">\(language("Text", "내용"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func payments(_ list: [SandboxControls.Payment]) -> HTML {
        guard !list.isEmpty else { return none(list) }
        let rows = list.map { payment -> HTML in
            """
            <tr><td><a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(payment.impUid))">\(payment.impUid)</a></td>\
            <td>\(payment.merchantUid)</td><td>\(Figure.text(payment.amount))</td><td>\(payment.status)</td>\
            <td>\(webhook(of: payment))</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">imp_uid</th><th scope="col">merchant_uid</th>\
            <th scope="col">\(language("Amount", "금액"))</th><th scope="col">\(language("State", "상태"))</th>\
            <th scope="col">\(language("Act", "조치"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func webhook(of payment: SandboxControls.Payment) -> HTML {
        guard visitor.role == .act else { return "" }
        return """
            <form method="post" action="\(Layout.root)/outside/webhook">
            <input type="hidden" name="form" value="\(visitor.form)">
            <input type="hidden" name="payment" value="\(payment.impUid)">
            <label for="w-\(payment.impUid)">\(language("Reason", "사유"))</label>
            <input id="w-\(payment.impUid)" name="reason" required maxlength="200">
            <button>\(language("Send its webhook", "웹훅 보내기"))</button></form>
            """
    }

    private func trains(_ list: [SandboxControls.Train]) -> HTML {
        guard !list.isEmpty else { return none(list) }
        let items = list.map { train -> HTML in
            "<li>\(train.number): \(language("line", "호선")) \(train.line) → \(train.destination)</li>"
        }
        return "<ul>\(items)</ul>"
    }
}
