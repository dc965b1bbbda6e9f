import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// What surrounds a page: title, navigation, search, the operator.
struct Layout: Sendable {
    var language: Language
    var operatorName: Operator?

    /// The address of the pages at the gateway's admin port.
    static let root = "/console"
    /// No script but the console's own, no other host, no frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// - Parameters:
    ///   - title: In the page's language.
    ///   - path: Of the page below `/console`, which is marked in the navigation.
    ///   - query: What was searched for.
    ///   - follows: Whether the page is replaced by what `…/updates` sends.
    func response(
        _ title: String,
        _ path: String,
        _ main: HTML,
        status: HTTPResponse.Status = .ok,
        query: String = "",
        follows: Bool = false
    ) -> Response {
        let navigation: HTML = operatorName == nil ? "" : self.navigation(path, query: query)
        let updates: HTML = follows ? " data-updates=\"\(Self.root)/\(path)/updates\"" : ""
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title) · Madang</title>
            <link rel="stylesheet" href="\(Self.root)/style.css">
            <link rel="icon" href="data:,">
            <script src="\(Self.root)/console.js" defer></script>
            </head>
            <body>
            <a class="skip" href="#main">\(language("Skip to the content", "본문으로 건너뛰기"))</a>
            <header><a class="name" href="\(Self.root)/now">Madang</a>\(navigation)</header>
            <main id="main"\(updates)>
            <h1>\(title)</h1>
            \(main)
            </main>
            </body>
            </html>

            """
        return Self.response(page.text, type: "text/html; charset=utf-8", status: status)
    }

    private func navigation(_ path: String, query: String) -> HTML {
        let pages = [
            ("now", language("Now", "지금")), ("story", language("Story", "이야기")), ("people", language("People", "사람")),
            ("live", language("Live", "실시간")), ("money", language("Money", "돈")),
            ("events", language("Events", "이벤트")), ("outside", language("Outside", "외부")),
            ("api", "API"), ("data", language("Data", "데이터")), ("acts", language("Acts", "조치 기록")),
        ]
        let links = pages.map { page, title -> HTML in
            let mark: HTML = page == path.split(separator: "/").first.map(String.init) ? " aria-current=\"page\"" : ""
            return "<a href=\"\(Self.root)/\(page)\"\(mark)>\(title)</a>"
        }
        let who: HTML =
            operatorName.map { one in
                """
                <form class="out" method="post" action="\(Self.root)/sign-out">
                <input type="hidden" name="form" value="\(one.form)">
                <span>\(one.name) (\(one.role.rawValue))</span>
                <button>\(language("Sign out", "로그아웃"))</button></form>
                """
            } ?? ""
        return """
            <nav aria-label="\(language("Pages", "페이지"))">\(links)</nav>
            <form class="search" action="\(Self.root)/story" role="search">
            <label for="q">\(language("Find", "찾기"))</label>
            <input id="q" name="q" type="search" value="\(query)" placeholder="\(language("request, session, account, order, imp_uid, room, car", "요청·세션·계정·주문·imp_uid·방·열차"))">
            </form>
            \(who)
            """
    }

    static func response(_ text: String, type: String, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ]
        headers[.contentSecurityPolicy] = policy
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
