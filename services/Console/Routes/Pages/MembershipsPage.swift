import Contracts

/// The memberships of an account, which lead to its payslips.
struct MembershipsPage {
    let query: String
    /// nil while none were looked for.
    let memberships: [OperatorsAPI.Membership]?
    /// `yyyy-MM`; that of the payslips.
    let month: String
    let language: Language

    var html: HTML {
        """
        <form action="\(Layout.root)/money/payslip">
        <label for="account">\(language("Account of MOUP", "MOUP 계정"))</label>
        <input id="account" name="account" inputmode="numeric" value="\(query)">
        <button>\(language("Find", "찾기"))</button></form>
        \(table)
        """
    }

    private var table: HTML {
        guard let memberships else { return "" }
        guard !memberships.isEmpty else {
            return "<p class=\"none\">\(language("A member of no workplace.", "소속된 근무지가 없습니다."))</p>"
        }
        let rows = memberships.map { one -> HTML in
            """
            <tr><td><a href="\(Layout.root)/money/payslip?account=\(PercentEncoding.encoded(query))&#38;workplace=\
            \("\(one.workplace)")&#38;month=\(month)">\(one.workplaceName)</a></td><td>\("\(one.workplace)")</td>\
            <td>\(role(one))</td><td>\(Amounts.instant(one.joinedAt))</td><td>\(Amounts.instant(one.leftAt))</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Workplace", "근무지"))</th><th scope="col">\(language("Id", "번호"))</th>\
            <th scope="col">\(language("Role", "역할"))</th><th scope="col">\(language("Since", "시작"))</th>\
            <th scope="col">\(language("Until", "끝"))</th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func role(_ membership: OperatorsAPI.Membership) -> String {
        if membership.isOwner { return language("owner", "사장") }
        return membership.isAccepted ? language("worker", "근무자") : language("applicant", "승인 대기")
    }
}
