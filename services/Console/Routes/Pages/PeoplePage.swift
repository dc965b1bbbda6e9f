import Contracts
import FoundationEssentials

/// Accounts with their sessions.
struct PeoplePage {
    let query: String
    let people: [OperatorsAPI.Person]
    let visitor: Operator
    let language: Language

    var html: HTML {
        """
        <form action="\(Layout.root)/people">
        <label for="who">\(language("Account, e-mail, phone number, session", "계정·이메일·전화번호·세션"))</label>
        <input id="who" name="q" type="search" value="\(query)"> <button>\(language("Find", "찾기"))</button></form>
        \(found)
        """
    }

    private var found: HTML {
        guard !people.isEmpty else {
            let none = language("There is no such account.", "해당하는 사람이 없습니다.")
            return query.isEmpty ? "" : "<p class=\"none\">\(none)</p>"
        }
        return "\(people.map(section))"
    }

    private func section(_ person: OperatorsAPI.Person) -> HTML {
        let leaving: HTML =
            person.isLeaving ? "<span class=\"failed\">\(language("is withdrawing", "탈퇴 진행 중"))</span>" : ""
        let facts = [
            person.app.rawValue, language("account \(person.account)", "계정 \(person.account)"), "\(person.publicID)",
            person.email ?? "", person.phone.map { "…\($0)" } ?? "",
            language("since ", "가입 ") + Figures.instant(Date(timeIntervalSince1970: person.createdAt)),
        ]
        return """
            <section><h2>\(person.nickname)</h2>
            <p class="facts">\(facts.filter { !$0.isEmpty }.map { "<span>\($0)</span>" as HTML })\(leaving)\
            <a href="\(Layout.root)/story?q=\("\(person.account)")">\(language("stories", "이야기"))</a>\(money(of: person))</p>
            \(restore(person))
            \(sessions(of: person))</section>
            """
    }

    /// The way to a person's payslips, or orders.
    private func money(of person: OperatorsAPI.Person) -> HTML {
        switch person.app {
        case .moup:
            """
            <a href="\(Layout.root)/money/payslip?account=\("\(person.account)")">\(language("payslips", "급여명세서"))</a>
            """
        case .anlaka, .culture:
            """
            <a href="\(Layout.root)/money?account=\("\(person.account)")">\(language("orders", "주문"))</a>
            """
        case .seatcatcher, .withsuhyeon: ""
        }
    }

    /// The limits that hold the account back, and the form that restores it, if there is anything to restore.
    private func restore(_ person: OperatorsAPI.Person) -> HTML {
        let limits = person.limits.map { limit -> HTML in
            "<span>\(limit.name) \(limit.left)/\(limit.of)</span>"
        }
        let list: HTML = limits.isEmpty ? "" : "<p class=\"facts\">\(limits)</p>"
        guard visitor.role == .act, person.isLeaving || person.limits.contains(where: { $0.left < $0.of }) else {
            return list
        }
        return """
            \(list)
            <form method="post" action="\(Layout.root)/people/restore">
            <input type="hidden" name="form" value="\(visitor.form)">
            <input type="hidden" name="account" value="\("\(person.account)")">
            <input type="hidden" name="app" value="\(person.app.rawValue)">
            <label for="restore-\("\(person.account)")">\(language("Reason", "사유"))</label>
            <input id="restore-\("\(person.account)")" name="reason" required maxlength="200">
            <button>\(person.isLeaving ? language("Take the withdrawal back", "탈퇴 취소") : language("Refill the limit", "제한 초기화"))</button></form>
            """
    }

    private func sessions(of person: OperatorsAPI.Person) -> HTML {
        guard !person.sessions.isEmpty else {
            return "<p class=\"none\">\(language("Signed in nowhere.", "로그인된 기기가 없습니다."))</p>"
        }
        let rows = person.sessions.map { session -> HTML in
            """
            <tr><td><a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(session.id))">\(session.id)</a></td>\
            <td>\(session.name ?? session.device ?? "–")</td>\
            <td>\(Figures.instant(Date(timeIntervalSince1970: session.createdAt)))</td>\
            <td>\(Figures.instant(Date(timeIntervalSince1970: session.seenAt)))</td><td>\(act(session, of: person))</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">\(language("Session", "세션"))</th>\
            <th scope="col">\(language("Device", "기기"))</th><th scope="col">\(language("Since", "시작"))</th>\
            <th scope="col">\(language("Last seen", "최근 사용"))</th><th scope="col">\(language("Act", "조치"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func act(_ session: OperatorsAPI.Session, of person: OperatorsAPI.Person) -> HTML {
        guard visitor.role == .act else { return "" }
        return """
            <form method="post" action="\(Layout.root)/people/end-session">
            <input type="hidden" name="form" value="\(visitor.form)">
            <input type="hidden" name="account" value="\("\(person.account)")">
            <input type="hidden" name="app" value="\(person.app.rawValue)">
            <input type="hidden" name="session" value="\(session.id)">
            <label for="r-\(session.id)">\(language("Reason", "사유"))</label>
            <input id="r-\(session.id)" name="reason" required maxlength="200">
            <button>\(language("End", "종료"))</button></form>
            """
    }
}
