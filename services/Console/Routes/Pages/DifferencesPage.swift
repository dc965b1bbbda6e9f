import Contracts

/// Comparisons of all payments with PortOne, and what they have found.
struct DifferencesPage {
    let comparisons: [OperatorsAPI.Comparison]
    /// Whether the page is about one day, and all that was found then.
    let isOfOneDay: Bool
    /// The cursor of a comparison of the day that goes on; nil or empty for none.
    let next: String?
    /// `yyyy-MM-dd`.
    let today: String
    let visitor: Operator
    let language: Language

    /// The maximum number of rows of a day.
    private static let longest = 500

    var html: HTML {
        guard !comparisons.isEmpty else {
            return "\(form)<p class=\"none\">\(language("Nothing was compared.", "대사한 기록이 없습니다."))</p>"
        }
        return "\(form)\(comparisons.map(section))"
    }

    private var form: HTML {
        guard visitor.role == .act else { return "" }
        let isOpen = next?.isEmpty == false && comparisons.first?.isFinished == false
        let cursor: HTML = isOpen ? "<input type=\"hidden\" name=\"after\" value=\"\(next ?? "")\">" : ""
        let act = isOpen ? language("Go on", "계속하기") : language("Compare again", "다시 대사")
        return """
            <form method="post" action="\(Layout.root)/money/compare">
            <input type="hidden" name="form" value="\(visitor.form)">\(cursor)
            <label for="day">\(language("Day", "날짜"))</label>
            <input id="day" name="day" type="date" max="\(today)" value="\(comparisons.first?.day ?? today)" required>
            <label for="reason">\(language("Reason", "사유"))</label><input id="reason" name="reason" required maxlength="200">
            <button>\(act)</button></form>
            """
    }

    private func section(_ comparison: OperatorsAPI.Comparison) -> HTML {
        let end =
            comparison.isFinished
            ? language("finished ", "완료 ") + Amounts.instant(comparison.finishedAt)
            : language("not finished", "진행 중")
        let facts = [
            language("\(comparison.payments) payments at PortOne", "포트원 결제 \(comparison.payments)건"),
            language("begun ", "시작 ") + Amounts.instant(comparison.startedAt), end,
        ]
        return """
            <section><h2><a href="\(Layout.root)/money/differences?day=\(comparison.day)">\(comparison.day)</a></h2>
            <p class="facts">\(facts.map { "<span>\($0)</span>" as HTML })</p>
            \(Self.table(Array(comparison.differences.prefix(Self.longest)), language))</section>
            """
    }

    static func table(_ differences: [OperatorsAPI.Difference], _ language: Language) -> HTML {
        guard !differences.isEmpty else {
            return "<p class=\"none\">\(language("No difference.", "차이가 없습니다."))</p>"
        }
        let rows = differences.map { difference -> HTML in
            let failed: HTML = difference.isMended ? "" : " class=\"failed\""
            return """
                <tr\(failed)><td><a href="\(Layout.root)/money?find=\(PercentEncoding.encoded(difference.impUID))">\
                \(difference.impUID)</a></td><td>\(difference.kind)</td><td>\(difference.ours ?? "–")</td>\
                <td>\(difference.theirs ?? "–")</td>\
                <td>\(difference.isMended ? language("resolved", "해결됨") : language("remains", "남음"))</td></tr>

                """
        }
        return """
            <table><thead><tr><th scope="col">imp_uid</th><th scope="col">\(language("Difference", "차이"))</th>\
            <th scope="col">\(language("Here", "여기"))</th><th scope="col">\(language("At PortOne", "포트원"))</th>\
            <th scope="col">\(language("Outcome", "결과"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }
}
