import Contracts
import Values

/// The programs and the calls between them, of the last hour.
struct NowPage {
    let arrows: [Arrow]
    let heat: [(minutesAgo: Int, times: [Int])]
    let newest: [StorySummary]
    let language: Language

    var html: HTML {
        """
        <p class="sentence">\(sentence)</p>
        \(ArchitecturePicture(arrows: arrows, language: language).svg)
        <h2>\(language("Answers of the gateway by duration", "게이트웨이 응답 시간 분포"))</h2>
        \(HeatPicture(minutes: heat, language: language).svg)
        <h2>\(language("Calls of the last hour", "지난 한 시간의 호출"))</h2>
        \(Self.table(of: arrows, language))
        <h2>\(language("The newest errors", "최근 오류"))</h2>
        \(SearchPage(query: "", stories: newest, language: language).html)
        """
    }

    private var sentence: HTML {
        guard let complaint = Complaint(arrows) else {
            let calls = arrows.reduce(0) { $0 + $1.recentCalls }
            return calls == 0
                ? "\(language("Nothing has been called in the last five minutes.", "지난 5분 동안 호출이 없었습니다."))"
                : "\(language("All is well: \(calls) calls in five minutes.", "이상 없음: 5분 동안 호출 \(calls)건."))"
        }
        let (failures, calls) = (complaint.failures, complaint.calls)
        return """
            <strong class="failed">\(language(
                "\(failures) of \(calls) calls from \(complaint.program) to \(complaint.target) have failed in the last five minutes.",
                "지난 5분 동안 \(complaint.program)에서 \(complaint.target)(으)로 보낸 호출 \(calls)건 중 \(failures)건이 실패했습니다."
            ))</strong>
            """
    }

    static func table(of arrows: [Arrow], _ language: Language) -> HTML {
        guard !arrows.isEmpty else { return "<p class=\"none\">\(language("None yet.", "아직 없습니다."))</p>" }
        let rows = arrows.map { arrow -> HTML in
            let failed: HTML = arrow.recentFailures > 0 ? " class=\"failed\"" : ""
            return """
                <tr\(failed)><td>\(arrow.program) → \(arrow.target)</td><td>\(arrow.calls)</td>\
                <td>\(Figure.text(arrow.rate))/s</td><td>\(arrow.failures)</td>\
                <td>\(bound(arrow.bound(of: 0.5)))</td><td>\(bound(arrow.bound(of: 0.99)))</td></tr>

                """
        }
        return """
            <table><thead><tr><th scope="col">\(language("From → to", "호출"))</th>\
            <th scope="col">\(language("Calls", "건수"))</th><th scope="col">\(language("Rate", "빈도"))</th>\
            <th scope="col">\(language("Failed", "실패"))</th><th scope="col">p50</th><th scope="col">p99</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    static func bound(_ milliseconds: Int?) -> String {
        milliseconds.map { "≤ \($0) ms" } ?? "> \(ConsoleAPI.Calls.Target.bounds.last ?? 0) ms"
    }
}
