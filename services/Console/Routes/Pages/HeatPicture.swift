import Contracts

/// How long answers took, by the minute: a column for each minute, a row for each range of durations.
struct HeatPicture {
    let minutes: [(minutesAgo: Int, times: [Int])]
    let language: Language

    private static let (cellWidth, cellHeight, left) = (11, 11, 70)

    var svg: HTML {
        guard !minutes.isEmpty else { return "<p class=\"none\">\(language("None yet.", "아직 없습니다."))</p>" }
        let bounds = ConsoleAPI.Calls.Target.bounds
        let most = minutes.flatMap(\.times).max() ?? 1
        let rows = bounds.count + 1
        let labels = (0..<rows).map { row -> HTML in
            let text = row < bounds.count ? "≤ \(bounds[row]) ms" : "> \(bounds[rows - 2]) ms"
            return "<text x=\"\(Self.left - 6)\" y=\"\((rows - row) * Self.cellHeight - 2)\">\(text)</text>"
        }
        let cells = minutes.flatMap { minute in
            minute.times.enumerated().filter { $0.element > 0 }.map { row, count -> HTML in
                let strength = 1 + min(8, count * 8 / max(most, 1))
                return """
                    <rect class="h\(strength)" x="\(Self.left + (59 - min(minute.minutesAgo, 59)) * Self.cellWidth)" \
                    y="\((rows - 1 - row) * Self.cellHeight)" width="\(Self.cellWidth - 1)" height="\(Self.cellHeight - 1)">\
                    <title>\(language("\(minute.minutesAgo) min ago: \(count)", "\(minute.minutesAgo)분 전: \(count)"))</title></rect>
                    """
            }
        }
        let title = language("Answers of the last hour by minute and duration", "지난 한 시간의 분별 응답 시간")
        return """
            <svg class="heat" viewBox="0 0 \(Self.left + 60 * Self.cellWidth) \(rows * Self.cellHeight)" role="img" \
            aria-label="\(title)">\(labels)\(cells)</svg>
            """
    }
}
