import Contracts

/// How far each member of a room has read: a line for each over the numbers of the newest events.
struct ReadersPicture {
    let room: OperatorsAPI.Room
    let language: Language

    /// Lengths in the units of the picture.
    private static let (width, row, left, right) = (640, 26, 150, 16)

    private var first: Int64 { room.events.first?.sequence ?? room.summary.lastSequence }
    private var last: Int64 { max(room.summary.lastSequence, first) }

    var svg: HTML {
        guard !room.events.isEmpty else { return "" }
        let height = room.members.count * Self.row + 24
        let ticks = room.events.map { event -> HTML in
            "<line class=\"\(event.kind)\" x1=\"\(x(event.sequence))\" x2=\"\(x(event.sequence))\" y1=\"4\" y2=\"14\"/>"
        }
        let title = language("Who has read to where", "읽은 위치")
        return """
            <svg class="readers" viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="\(title)">\
            <text x="\(Self.left - 8)" y="13">\(first) – \(last)</text>\(ticks)\
            \(room.members.enumerated().map { line($1, y: 16 + $0 * Self.row) })</svg>
            """
    }

    private func line(_ member: OperatorsAPI.Member, y: Int) -> HTML {
        let (middle, end) = (y + Self.row / 2, x(member.readThrough))
        let text = language(
            "\(member.account) has read to \(member.readThrough)",
            "\(member.account): \(member.readThrough)까지 읽음"
        )
        return """
            <g><title>\(text)</title><text x="\(Self.left - 8)" y="\(middle + 4)">\("\(member.account)"): \
            \(member.readThrough)</text>\
            <line x1="\(Self.left)" x2="\(end)" y1="\(middle)" y2="\(middle)"/>\
            <circle cx="\(end)" cy="\(middle)" r="6"/></g>
            """
    }

    /// Positions before the newest events are at the left end.
    private func x(_ sequence: Int64) -> Int {
        let share = Double(min(max(sequence, first), last) - first) / Double(max(last - first, 1))
        return Self.left + Int((share * Double(Self.width - Self.left - Self.right)).rounded())
    }
}
