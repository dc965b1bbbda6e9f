import Contracts
import Values

/// Programs as boxes and their calls as arrows: the gateway, the services, and what these call outside.
struct ArchitecturePicture {
    let arrows: [Arrow]
    let language: Language

    private static let (boxWidth, boxHeight) = (120.0, 34.0)
    private static let width = 760.0
    /// The number of characters that a box has room for.
    private static let longestName = 15

    private struct Box {
        var name: String
        var x: Double
        var y: Double
    }

    var svg: HTML {
        guard !arrows.isEmpty else { return "" }
        let boxes = self.boxes
        let height = (boxes.values.map(\.y).max() ?? 0) + Self.boxHeight + 20
        let title = language("Which program calls which, in the last hour", "지난 한 시간의 프로그램 간 호출")
        return """
            <svg class="architecture" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" aria-label="\(title)">
            <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto">\
            <path d="M0 0L8 4L0 8z"/></marker></defs>
            \(arrows.map { line($0, boxes) })
            \(boxes.values.sorted { ($0.y, $0.x) < ($1.y, $1.x) }.map(box))
            </svg>
            """
    }

    /// The gateway in the first row, services in two rows, everything else in the last ones.
    private var boxes: [String: Box] {
        let names = Set(arrows.flatMap { [$0.program, $0.target] })
        let services = ServiceName.allCases.map(\.rawValue).filter(names.contains)
        let others = names.subtracting(services).subtracting(["gateway"]).sorted()
        let half = (services.count + 1) / 2
        let rows =
            [["gateway"].filter(names.contains), Array(services.prefix(half)), Array(services.dropFirst(half))]
            + stride(from: 0, to: others.count, by: 5).map { Array(others[$0..<min($0 + 5, others.count)]) }
        var boxes: [String: Box] = [:]
        for (index, row) in rows.filter({ !$0.isEmpty }).enumerated() {
            let step = Self.width / Double(row.count)
            for (column, name) in row.enumerated() {
                let x = step * (Double(column) + 0.5) - Self.boxWidth / 2
                boxes[name] = Box(name: name, x: x, y: Double(index) * 100 + 10)
            }
        }
        return boxes
    }

    private func box(_ box: Box) -> HTML {
        let isLong = box.name.unicodeScalars.count > Self.longestName
        let squeezed: HTML =
            isLong ? " textLength=\"\(Int(Self.boxWidth - 10))\" lengthAdjust=\"spacingAndGlyphs\"" : ""
        return """
            <g class="box"><rect x="\(Int(box.x))" y="\(Int(box.y))" width="\(Int(Self.boxWidth))" height="\(Int(Self.boxHeight))" rx="6"/>\
            <text x="\(Int(box.x + Self.boxWidth / 2))" y="\(Int(box.y + 22))"\(squeezed)>\(box.name)</text></g>

            """
    }

    private func line(_ arrow: Arrow, _ boxes: [String: Box]) -> HTML {
        guard let from = boxes[arrow.program], let to = boxes[arrow.target], arrow.program != arrow.target else {
            return ""
        }
        let down = to.y >= from.y
        let (x1, y1) = (from.x + Self.boxWidth / 2, down ? from.y + Self.boxHeight : from.y)
        let (x2, y2) = (
            to.x + Self.boxWidth / 2 + (down ? 0 : 20), down && to.y > from.y ? to.y : to.y + Self.boxHeight
        )
        let failed: HTML = arrow.recentFailures > 0 ? " failed" : ""
        let label =
            "\(arrow.program) → \(arrow.target): \(Figure.text(arrow.rate))/s, "
            + language("\(arrow.failures) failed", "실패 \(arrow.failures)건")
            + ", p99 \(NowPage.bound(arrow.bound(of: 0.99)))"
        let middle = (y1 + y2) / 2 + (y1 == y2 ? 30 : 0)
        return """
            <path class="arrow\(failed)" marker-end="url(#tip)" \
            d="M\(Int(x1)) \(Int(y1))C\(Int(x1)) \(Int(middle)) \(Int(x2)) \(Int(middle)) \(Int(x2)) \(Int(y2))">\
            <title>\(label)</title></path>

            """
    }
}
