import Values

/// Traces that were found, or the newest ones.
struct SearchPage {
    let query: String
    let stories: [StorySummary]
    let language: Language

    var html: HTML {
        let about: HTML =
            query.isEmpty
            ? "<p>\(language("The newest requests with an error; find others by an id.", "오류가 있었던 최근 요청입니다. 다른 요청은 ID로 찾으세요."))</p>"
            : """
            <p>\(language("Stories about", "다음에 관한 이야기:")) <code>\(query)</code></p>
            """
        guard !stories.isEmpty else { return "\(about)<p class=\"none\">\(nothing)</p>" }
        return """
            \(about)
            <table>
            <thead><tr><th scope="col">\(language("When", "시각"))</th><th scope="col">\(language("Request", "요청"))</th>\
            <th scope="col">\(language("App", "앱"))</th><th scope="col">\(language("Answer", "응답"))</th>\
            <th scope="col">\(language("Took", "걸린 시간"))</th></tr></thead>
            <tbody>\(stories.map(row))</tbody>
            </table>
            """
    }

    private func row(_ story: StorySummary) -> HTML {
        let failed: HTML = story.isFailed ? " class=\"failed\"" : ""
        return """
            <tr\(failed)><td>\(Figures.instant(story.startedAt))</td>\
            <td><a href="\(Layout.root)/story/\(story.trace.trace)">\(story.name)</a></td>\
            <td>\(story.app ?? story.program)</td><td>\(story.status.map(String.init) ?? "–")</td>\
            <td>\(Figures.duration(nanoseconds: story.microseconds * 1000))</td></tr>

            """
    }

    private var nothing: String {
        query.isEmpty
            ? language("No request had an error.", "오류가 있었던 요청이 없습니다.")
            : language(
                "Nothing is kept about it: it is older than a day, was not among the kept ones, or never was.",
                "남아 있는 기록이 없습니다. 하루가 지났거나, 보관 대상이 아니었거나, 없는 ID입니다."
            )
    }
}
