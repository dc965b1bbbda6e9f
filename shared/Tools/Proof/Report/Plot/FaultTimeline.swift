import ServiceKit

/// The faults of a run by kind, below plots of the same width.
struct FaultTimeline: Sendable {
    struct Row: Sendable {
        var title: String
        /// When each of its faults began and ended, in seconds of the run.
        var spans: [Plot.Band]
    }

    var seconds: Double
    var rows: [Row]

    private static let row = 24.0

    var figure: String {
        let lines = rows.enumerated().map { index, row in
            let y = Double(index) * Self.row
            let spans = row.spans.map { span in
                let (x, end) = (Plot.x(span.from, of: seconds), Plot.x(span.to, of: seconds))
                return Plot.rect("fault", x, y + 14, max(end - x, 1.5), 7)
            }
            let title = HTMLText.escaped(row.title)
            return "<text x=\"\(Plot.text(Plot.left))\" y=\"\(Plot.text(y + 11))\">\(title)</text>\(spans.joined())"
        }
        let bottom = Double(rows.count) * Self.row + 18
        return """
            <figure><figcaption>Faults by kind</figcaption><svg viewBox="0 0 \(Int(Plot.width)) \(Int(bottom))" role="img" \
            aria-label="Faults by kind over time">\(lines.joined())\(Plot.times(seconds, at: bottom - 5))</svg></figure>
            """
    }
}
