import FoundationEssentials
import ServiceKit
import Values

/// The tree of a trace in the order of time.
struct StoryPage {
    let story: Story
    /// As far as the stand-in for phones has them.
    let pushes: [SandboxControls.Push]
    let language: Language
    /// The number of lines before the first one that is shown.
    let skipped: Int
    /// Which part of a long story it is, and of how many.
    let part: (number: Int, count: Int)

    /// The maximum number of lines on a page.
    static let size = 200

    var title: String { "\(story.first.name)" }

    var html: HTML {
        """
        <p class="facts">\(facts)</p>
        \(parts)
        \(refusals)
        <table class="story">
        <caption>\(language("What happened, in the order of time", "일어난 일, 시간순"))</caption>
        <thead><tr><th scope="col">\(language("After", "시각"))</th><th scope="col">\(language("Program", "프로그램"))</th>\
        <th scope="col">\(language("What", "내용"))</th><th scope="col">\(language("Took", "걸린 시간"))</th></tr></thead>
        <tbody>\(story.lines.dropFirst(skipped).prefix(Self.size).map(row))</tbody>
        </table>
        \(rest)
        \(lockScreens)
        \(links)
        """
    }

    private var facts: HTML {
        let first = story.first
        var parts = [
            Figures.instant(Date(timeIntervalSince1970: Double(first.start) / 1_000_000_000)),
            Figures.duration(nanoseconds: story.duration),
            language("\(story.lines.count) spans", "스팬 \(story.lines.count)개"),
        ]
        if let status = first.httpStatus { parts.append("HTTP \(status)") }
        if let app = first["madang.app"] { parts.append(app) }
        let found = Self.searches.flatMap { name in
            Set(story.lines.flatMap { $0.span.texts(name) }).sorted().prefix(3).map { value -> HTML in
                """
                <a href="\(Layout.root)/story?q=\(PercentEncoding.encoded(value))">\(name) \(value)</a>\
                \(live(name, value))\(money(name, value))
                """
            }
        }
        let missing: HTML =
            story.orphans == 0
            ? ""
            : """
            <span>\(language("\(story.orphans) spans without the one that encloses them", "상위 스팬이 없는 스팬 \(story.orphans)개"))</span>
            """
        return "\(parts.map { "<span>\($0)</span>" as HTML })\(found)\(missing)"
    }

    /// The way to the order that an attribute names.
    private func money(_ name: String, _ value: String) -> HTML {
        guard ["madang.order", "madang.imp_uid"].contains(name) else { return "" }
        return """
            <a href="\(Layout.root)/money?find=\(PercentEncoding.encoded(value))">\(language("money", "돈"))</a>
            """
    }

    private static let searches = [
        "user.id", "session.id", "madang.request_id", "madang.order", "madang.imp_uid", "madang.room", "madang.car",
    ]

    /// A link to a room or car as it is now.
    private func live(_ name: String, _ value: String) -> HTML {
        let path: String
        switch TraceSubject(rawValue: name) {
        case .room where LiveReader.isCode(value): path = "room/\(value)"
        case .car where LiveReader.isCode(value):
            // The train's number may have hyphens, too.
            guard let hyphen = value.lastIndex(of: "-") else { return "" }
            path = "train/\(value[..<hyphen])/\(value[hyphen...].dropFirst())"
        default: return ""
        }
        return "<a href=\"\(Layout.root)/live/\(path)\">\(language("now", "현재 상태"))</a>"
    }

    private var refusals: HTML {
        let found = story.refusals
        guard !found.isEmpty else { return "" }
        let items = found.prefix(10).map { refusal -> HTML in
            "<li><b>\(refusal.program)</b> <code>\(refusal.code)</code> \(refusal.message)</li>"
        }
        return """
            <section class="why"><h2>\(language("Why it was refused", "거절된 이유"))</h2><ul>\(items)</ul></section>
            """
    }

    private func row(_ line: Story.Line) -> HTML {
        let span = line.span
        let total = Double(max(story.duration, 1))
        let start = Double(line.offset) / total * 100
        let width = max(Double(span.end - span.start) / total * 100, 0.4)
        let failed: HTML = span.isFailed ? " class=\"failed\"" : ""
        let details = Self.details.compactMap { name in span[name].map { "<dt>\(name)</dt><dd>\($0)</dd>" as HTML } }
        let more: HTML =
            details.isEmpty ? "" : "<details><summary>\(language("more", "자세히"))</summary><dl>\(details)</dl></details>"
        return """
            <tr\(failed)><td>\(Figures.duration(nanoseconds: line.offset))</td><td>\(line.program)</td>\
            <td class="d\(min(line.depth, 12))"><span class="what">\(span.name)</span> \(outcome(of: span))\(more)</td>\
            <td><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" \
            aria-label="\(Figures.duration(nanoseconds: span.end - span.start))">\
            <rect x="\(Self.fixed(start))" width="\(Self.fixed(min(width, 100 - start + 0.4)))" height="6"/></svg> \
            \(Figures.duration(nanoseconds: span.end - span.start))</td></tr>

            """
    }

    private func outcome(of span: StoredSpan) -> String {
        if let outcome = span["madang.push.outcome"] { return "→ \(outcome)" }
        if let count = span["madang.sockets"] { return language("→ \(count) sockets", "→ 소켓 \(count)개") }
        if let status = span.httpStatus { return "→ \(status)" }
        if let state = span["db.response.status_code"] { return "→ \(state)" }
        if let rows = span["db.response.returned_rows"] { return language("→ \(rows) rows", "→ \(rows)행") }
        return span["error.type"].map { "→ \($0)" } ?? ""
    }

    private func address(part: Int, after: Int = 0) -> String {
        "\(Layout.root)/story/\(story.trace.trace)?part=\(part)&after=\(after)"
    }

    private var rest: HTML {
        let left = story.lines.count - skipped - Self.size
        guard left > 0 else { return "" }
        return """
            <p><a href="\(address(part: part.number, after: skipped + Self.size))">\
            \(language("\(left) more spans", "스팬 \(left)개 더 보기"))</a></p>
            """
    }

    /// What a long story says of its other parts.
    private var parts: HTML {
        guard part.count > 1 else { return "" }
        let others = [part.number - 1, part.number + 1].filter { (0..<part.count).contains($0) }
        let links = others.map { other -> HTML in
            "<a href=\"\(address(part: other))\">\(language("part \(other + 1)", "\(other + 1)부"))</a> "
        }
        return """
            <p>\(language(
                "This story is long: part \(part.number + 1) of \(part.count), in the order in which spans were stored.",
                "긴 이야기입니다. 저장 순서로 \(part.count)부 중 \(part.number + 1)부입니다."
            )) \(links)</p>
            """
    }

    private var lockScreens: HTML {
        guard !pushes.isEmpty else { return "" }
        return """
            <section><h2>\(language("As the phones have shown it", "휴대폰에 표시된 화면"))</h2>
            <div class="locks">\(pushes.map { LockScreenPicture(push: $0).html })</div></section>
            """
    }

    private var links: HTML {
        guard !story.links.isEmpty else { return "" }
        let items = story.links.prefix(50).map { trace -> HTML in
            "<li><a href=\"\(Layout.root)/story/\(trace.trace)\">\(trace.trace)</a></li>"
        }
        return "<section><h2>\(language("Handled together with", "함께 처리된 요청"))</h2><ul>\(items)</ul></section>"
    }

    /// The attributes that are shown on demand.
    private static let details = [
        "db.query.text", "db.namespace", "db.response.returned_rows", "db.response.status_code", "madang.wait_us",
        "madang.constraint", "http.route", "server.address", "messaging.destination.name",
        "messaging.message.id", "messaging.batch.message_count", "madang.sockets", "madang.push.kind",
        "madang.push.attempt",
        "madang.push.outcome", "madang.problem.code", "madang.problem.message", "error.type",
    ]

    private static func fixed(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
