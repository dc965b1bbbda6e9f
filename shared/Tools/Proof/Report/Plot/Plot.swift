import ServiceKit
import Values

/// Values over the time of a run, as SVG that is readable from 320 pixels on and takes its colours from `ReportPage.style`.
struct Plot: Sendable {
    struct Series: Sendable {
        var name: String
        /// The number of its colour, from 0.
        var tone: Int
        /// Seconds of the run, ascending, and values.
        var points: [(second: Double, value: Double)]
    }

    /// A time that is marked, in seconds of the run.
    struct Band: Sendable {
        var from: Double
        var to: Double
    }

    enum Form: Sendable { case lines, stackedAreas }

    /// With the unit, such as "p50 and p99, ms".
    var title: String
    /// The length of the run.
    var seconds: Double
    var series: [Series]
    var form = Form.lines
    /// A value that is not to be exceeded.
    var limit: Double?
    var bands: [Band] = []
    var isLogarithmic = false

    /// Of the picture, and of the part with the values.
    static let (width, height) = (360.0, 150.0)
    static let (left, right, top, bottom) = (38.0, 354.0, 6.0, 130.0)

    /// The picture with its title and the names of the series.
    var figure: String {
        let names = series.map { "<li><i class=\"t\($0.tone)\"></i>\(HTMLText.escaped($0.name))</li>" }
        let legend = series.count < 2 ? "" : "<ul class=\"legend\">\(names.joined())</ul>"
        return """
            <figure><figcaption>\(HTMLText.escaped(title))</figcaption>\(svg)\(legend)</figure>
            """
    }

    private var svg: String {
        let scale = scale
        let ticks = scale.ticks.map { tick in
            let y = Self.y(scale.place(tick))
            return """
                <line class="grid" x1="\(Self.text(Self.left))" y1="\(y)" x2="\(Self.text(Self.right))" y2="\(y)"/>\
                <text x="\(Self.text(Self.left - 4))" y="\(y)" dy="4" text-anchor="end">\(Self.number(tick))</text>
                """
        }
        let marks = bands.map { band in
            let (x, end) = (Self.x(band.from, of: seconds), Self.x(band.to, of: seconds))
            return Self.rect("band", x, Self.top, max(end - x, 1), Self.bottom - Self.top)
        }
        let line = limit.map { limit in
            let y = Self.y(scale.place(limit))
            return """
                <line class="limit" x1="\(Self.text(Self.left))" y1="\(y)" x2="\(Self.text(Self.right))" y2="\(y)"/>
                """
        }
        return """
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" \
            aria-label="\(HTMLText.escaped(title))">\(marks.joined())\(ticks.joined())\(shapes(scale))\(line ?? "")\
            \(Self.times(seconds, at: Self.height - 6))</svg>
            """
    }

    private var scale: PlotScale {
        let values =
            switch form {
            case .lines: series.flatMap { $0.points.map(\.value) }
            case .stackedAreas: stacks.last ?? []
            }
        return PlotScale(values + (limit.map { [$0] } ?? []), isLogarithmic: isLogarithmic)
    }

    private func shapes(_ scale: PlotScale) -> String {
        func path(_ points: [(second: Double, value: Double)]) -> [String] {
            points.map { "\(Self.text(Self.x($0.second, of: seconds))),\(Self.y(scale.place($0.value)))" }
        }
        switch form {
        case .lines:
            return series.filter { !$0.points.isEmpty }.map { series in
                "<polyline class=\"line t\(series.tone)\" points=\"\(path(series.points).joined(separator: " "))\"/>"
            }.joined()
        case .stackedAreas:
            let seconds = series.first?.points.map(\.second) ?? []
            var below = seconds.map { (second: $0, value: 0.0) }
            return zip(series, stacks).map { series, sums in
                let above = zip(seconds, sums).map { (second: $0, value: $1) }
                defer { below = above }
                let points = path(above) + path(below).reversed()
                return "<polygon class=\"area t\(series.tone)\" points=\"\(points.joined(separator: " "))\"/>"
            }.joined()
        }
    }

    /// The sums of the series up to each one, which have their points at the same seconds.
    private var stacks: [[Double]] {
        var sums = Array(repeating: 0.0, count: series.first?.points.count ?? 0)
        return series.map { series in
            sums = zip(sums, series.points).map { $0 + $1.value }
            return sums
        }
    }

    // MARK: Places, also for time lines

    static func x(_ second: Double, of seconds: Double) -> Double {
        left + min(max(second / max(seconds, 0.001), 0), 1) * (right - left)
    }

    private static func y(_ place: Double) -> String { text(bottom - place * (bottom - top)) }

    static func rect(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "<rect class=\"\(name)\" x=\"\(text(x))\" y=\"\(text(y))\" width=\"\(text(width))\" height=\"\(text(height))\"/>"
    }

    /// The beginning, the middle and the end of the run.
    static func times(_ seconds: Double, at y: Double) -> String {
        zip([0, 0.5, 1], ["start", "middle", "end"]).map { share, anchor in
            let x = text(left + share * (right - left))
            return "<text x=\"\(x)\" y=\"\(text(y))\" text-anchor=\"\(anchor)\">\(time(share * seconds))</text>"
        }.joined()
    }

    /// Such as "45 s" or "7:30".
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        guard whole >= 100 else { return "\(number(seconds)) s" }
        let rest = "\(whole % 60)"
        return "\(whole / 60):\(rest.count < 2 ? "0" : "")\(rest)"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1000 ? "\(Int(value))" : Figure.text(value)
    }

    /// With one decimal.
    static func text(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
