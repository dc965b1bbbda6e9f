import FoundationEssentials

/// What operators have done.
struct ActsPage {
    let acts: [(at: Date, act: Act)]
    let language: Language

    var html: HTML {
        guard !acts.isEmpty else { return "<p class=\"none\">\(language("Nothing yet.", "아직 없습니다."))</p>" }
        let rows = acts.map { at, act -> HTML in
            """
            <tr><td>\(Figures.instant(at))</td><td>\(act.name)</td><td>\(act.act)</td><td>\(act.subject)</td>\
            <td>\(act.reason)</td><td>\(act.outcome)</td></tr>

            """
        }
        return """
            <table><thead><tr><th scope="col">\(language("When", "시각"))</th><th scope="col">\(language("Who", "누가"))</th>\
            <th scope="col">\(language("What", "무엇을"))</th><th scope="col">\(language("To what", "대상"))</th>\
            <th scope="col">\(language("Why", "사유"))</th><th scope="col">\(language("Outcome", "결과"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }
}
