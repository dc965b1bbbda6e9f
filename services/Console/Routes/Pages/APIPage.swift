import Apps
import Contracts

/// The operations of an app, each of which can be tried.
struct APIPage {
    let app: App
    /// The names of operations with what they are.
    let operations: [(name: String, operation: Operation)]
    let language: Language

    static let apps = App.allCases

    var html: HTML {
        let rows = operations.map { name, operation -> HTML in
            """
            <tr><td><a href="\(Layout.root)/api/\(app.rawValue)/\(name)">\(name)</a></td>\
            <td><code>\(operation.method.rawValue) \(operation.path)</code></td><td>\(operation.service.rawValue)</td></tr>

            """
        }
        return """
            <nav aria-label="\(language("Apps", "앱"))">\(Self.apps.map(link))</nav>
            <table><thead><tr><th scope="col">\(language("Operation", "기능"))</th>\
            <th scope="col">\(language("Request", "요청"))</th><th scope="col">\(language("Service", "서비스"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func link(_ other: App) -> HTML {
        let mark: HTML = other == app ? " aria-current=\"page\"" : ""
        return "<a href=\"\(Layout.root)/api/\(other.rawValue)\"\(mark)>\(other.rawValue)</a>"
    }
}

/// A call of an operation, with the values of its example or what was sent, and the answer.
struct APICallPage {
    let app: App
    let name: String
    let operation: Operation
    /// nil where there are no people to sign in.
    let session: APICalls.Session?
    /// The media type of a body that is not JSON, which cannot be sent from here.
    let type: String?
    var person = ""
    var call: APICalls.Call
    var answer: APICalls.Answer?
    let visitor: Operator
    let language: Language

    var html: HTML {
        """
        <p><code>\(operation.method.rawValue) \(operation.path)</code> → \(operation.service.rawValue)</p>
        \(form)
        \(outcome)
        """
    }

    private var form: HTML {
        guard let session else {
            return """
                <p class="none">\(language(
                    "Calls can be tried in development only, as a person of the initial data, while the gateway answers.",
                    "개발 환경에서만, 게이트웨이가 응답할 때 초기 데이터의 사용자로 시험할 수 있습니다."
                ))</p>
                """
        }
        guard type == nil else {
            return
                "<p class=\"none\">\(language("Its body is \(type ?? ""); send it from /docs.", "본문이 \(type ?? "")이므로 /docs에서 보내세요."))</p>"
        }
        guard visitor.role == .act else {
            return "<p class=\"none\">\(language("Your role may look, and not act.", "조회 권한만 있어 조치할 수 없습니다."))</p>"
        }
        let persons = session.persons.map { one -> HTML in
            let mark: HTML = one.name == person ? " selected" : ""
            return "<option\(mark)>\(one.name)</option>"
        }
        return """
            <form class="call" method="post" action="\(Layout.root)/api/\(app.rawValue)/\(name)">
            <input type="hidden" name="form" value="\(visitor.form)">
            <label for="person">\(language("As", "사용자"))</label><select id="person" name="person">\(persons)</select>
            <label for="path">\(language("Path and query", "경로와 쿼리"))</label>
            <input id="path" name="path" value="\(call.path)" required maxlength="2000">
            <label for="body">\(language("Body, as JSON", "본문(JSON)"))</label>
            <textarea id="body" name="body" rows="6" spellcheck="false">\(call.body)</textarea>
            <label for="reason">\(language("Reason", "사유"))</label>
            <input id="reason" name="reason" required maxlength="200">
            <button>\(language("Send", "보내기"))</button></form>
            """
    }

    private var outcome: HTML {
        guard let answer else { return "" }
        let story: HTML =
            answer.requestID.map { id in
                """
                <p><a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(id))">\(language("Its story", "이 요청의 이야기"))</a></p>
                """
            } ?? ""
        return """
            <section aria-live="polite"><h2>\(language("Answer", "응답")): \(answer.status)</h2>\(story)
            <pre>\(whole: answer.body)</pre></section>
            """
    }
}
