import ServiceKit

/// The frame of a report: a page of HTML that needs no other file and no script.
struct ReportPage {
    let title: String
    /// What the run has shown, in a sentence.
    let verdict: String
    let facts: RunFacts
    let seed: UInt64
    /// HTML.
    let content: String

    var html: String {
        let rows = facts.rows(seed: seed).map { Self.row([Self.text($0.name), Self.text($0.value)]) }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(Self.text(title))</title>
            <meta name="viewport" content="width=device-width"><style>\(Self.style)</style></head><body>
            <h1>\(Self.text(verdict))</h1><table class="facts"><tbody>\(rows.joined())</tbody></table>
            \(content)</body></html>
            """
    }

    static func text(_ text: String) -> String { HTMLText.escaped(text) }

    // MARK: Tables

    /// A table in a box that scrolls on a narrow screen.
    ///
    /// - Parameters:
    ///   - head: The names of its columns.
    ///   - rows: HTML, of `row`.
    static func table(_ head: [String], _ rows: [String]) -> String {
        let names = head.map { "<th scope=\"col\">\(text($0))</th>" }.joined()
        return """
            <div class="wide"><table><thead><tr>\(names)</tr></thead><tbody>\(rows.joined())</tbody></table></div>
            """
    }

    /// - Parameters:
    ///   - cells: HTML.
    ///   - numbers: The first cell that is a number, as are those after it; nil for none.
    static func row(_ cells: [String], numbers: Int? = nil, isBad: Bool = false) -> String {
        let columns = cells.enumerated().map { index, cell in
            let isNumber = numbers.map { index >= $0 } ?? false
            return "<td\(isNumber ? " class=\"n\"" : "")>\(cell)</td>"
        }
        return "<tr\(isBad ? " class=\"bad\"" : "")>\(columns.joined())</tr>"
    }

    /// Plots beside each other, as far as there is room.
    static func plots(_ figures: [String]) -> String { "<div class=\"plots\">\(figures.joined())</div>" }

    private static let tones = [
        "#3987e5", "#d9722c", "#2a9d76", "#b0509e", "#c9a227", "#7a6fe0", "#e0567a", "#4a9fb5", "#8a8f45", "#8d8d8d",
    ]

    /// The number of colours.
    static let toneCount = tones.count

    private static let style =
        """
        :root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:78em;margin:1em auto;padding:0 1em}
        h1{font-size:1.4em}h2{font-size:1.15em;margin-top:1.8em}table{border-collapse:collapse}
        td,th{padding:.2em 1em .2em 0;text-align:left;border-bottom:1px solid #8884;vertical-align:top}
        .facts td:first-child{color:#888;white-space:nowrap}.facts td{overflow-wrap:anywhere}.wide{overflow-x:auto}
        .n{text-align:right;white-space:nowrap}.bad td{color:#d33}ol{padding-left:1.6em;overflow-wrap:anywhere}
        .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20em),1fr));gap:1em}
        .column{max-width:50em}figure{margin:0 0 .6em}figcaption{font-weight:600}svg{width:100%;height:auto}
        text{font-size:10px;fill:currentColor}.grid{stroke:#8883}.line{fill:none;stroke:var(--c);stroke-width:1.5}
        .area{fill:var(--c)}.limit{stroke:#d33;stroke-dasharray:4 3}.band{fill:#b70;opacity:.15}.fault{fill:#b70}
        .legend{list-style:none;padding:0;margin:.2em 0;font-size:.85em}.legend li{display:inline-block;margin-right:1em}
        .legend i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;background:var(--c)}

        """ + tones.enumerated().map { ".t\($0){--c:\($1)}" }.joined()
}
