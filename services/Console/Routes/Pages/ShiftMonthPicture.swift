import Contracts
import FoundationEssentials
import Values

/// A month of shifts: a row for each day, a bar from start to end on an axis of 24 hours, and the hours from 22:00 to 06:00
/// (Labor Standards Act 56) shaded. A thin bar below a shift is the time between clock-in and clock-out.
struct ShiftMonthPicture {
    let month: CivilMonth
    let shifts: [OperatorsAPI.Payslip.Shift]
    let language: Language

    private static let (left, top, hour, row) = (76, 16, 26, 16)
    private static let day = 24 * 60

    private var height: Int { Self.top + month.length * Self.row }
    private var width: Int { Self.left + 24 * Self.hour + 4 }

    var svg: HTML {
        let title = language("The shifts of \(month), by day and hour", "\(month) 근무, 날짜와 시간별")
        return """
            <svg class="shifts" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title)">
            \(night(0, 6))\(night(22, 24))
            \(stride(from: 0, through: 24, by: 6).map(rule))
            \((0..<month.length).map(label))
            \(shifts.map(bars))
            </svg>
            """
    }

    private func night(_ from: Int, _ to: Int) -> HTML {
        """
        <rect class="night" x="\(Self.left + from * Self.hour)" y="\(Self.top)" width="\((to - from) * Self.hour)" \
        height="\(height - Self.top)"/>
        """
    }

    private func rule(_ hour: Int) -> HTML {
        let x = Self.left + hour * Self.hour
        return """
            <line x1="\(x)" y1="\(Self.top)" x2="\(x)" y2="\(height)"/><text x="\(x)" y="\(Self.top - 5)">\(hour)</text>
            """
    }

    private func label(_ index: Int) -> HTML {
        let date = month.first + index
        let names = language("Mon Tue Wed Thu Fri Sat Sun", "월 화 수 목 금 토 일").split(separator: " ")
        return """
            <text class="day" x="\(Self.left - 6)" y="\(Self.top + index * Self.row + 12)">\(date.day) \
            \(names[date.weekday.rawValue])</text>
            """
    }

    private func bars(_ shift: OperatorsAPI.Payslip.Shift) -> HTML {
        let title = Self.title(shift, language)
        let end = shift.endsAt ?? shift.startsAt
        let planned = pieces(shift.startsAt, end).map {
            rectangle($0, shift.endsAt == nil ? "work open" : "work", title)
        }
        guard let clockedInAt = shift.clockedInAt else { return "\(planned)" }
        let clocked = pieces(clockedInAt, shift.clockedOutAt ?? clockedInAt).map { rectangle($0, "clocked", title) }
        return "\(planned)\(clocked)"
    }

    /// A part of a span of time on one day, in minutes from its start.
    private struct Piece {
        var index: Int
        var minutes: Range<Int>
    }

    /// The parts of a span on the days of the month; a span without a length has one.
    private func pieces(_ start: Double, _ end: Double) -> [Piece] {
        let first = SeoulTime.instant(month.first).timeIntervalSince1970
        let minutes = (start: Self.minutes(start - first), end: Self.minutes(end - first))
        let clipped = (start: max(minutes.start, 0), end: min(minutes.end, month.length * Self.day))
        guard clipped.start <= clipped.end, clipped.start < month.length * Self.day else { return [] }
        let days = clipped.start / Self.day...max(clipped.start, clipped.end - 1) / Self.day
        return days.map { index in
            let midnight = index * Self.day
            return Piece(
                index: index,
                minutes: max(clipped.start - midnight, 0)..<min(clipped.end - midnight, Self.day)
            )
        }
    }

    private static func minutes(_ seconds: Double) -> Int {
        Int((min(max(seconds, -1e9), 1e9) / 60).rounded(.down))
    }

    private func rectangle(_ piece: Piece, _ kind: String, _ title: String) -> HTML {
        let isClocked = kind == "clocked"
        let x = Self.left + piece.minutes.lowerBound * Self.hour / 60
        let y = Self.top + piece.index * Self.row + (isClocked ? 12 : 2)
        return """
            <rect class="\(kind)" x="\(x)" y="\(y)" width="\(max(piece.minutes.count * Self.hour / 60, 2))" \
            height="\(isClocked ? 2 : 9)"><title>\(title)</title></rect>
            """
    }

    private static func title(_ shift: OperatorsAPI.Payslip.Shift, _ language: Language) -> String {
        let clocked =
            shift.clockedInAt == nil
            ? ""
            : language(
                "; clocked in \(time(shift.clockedInAt)), out \(time(shift.clockedOutAt))",
                "; 출근 \(time(shift.clockedInAt)), 퇴근 \(time(shift.clockedOutAt))"
            )
        let rest = language("break \(shift.breakMinutes) min", "휴게 \(shift.breakMinutes)분")
        return "\(shift.day) \(time(shift.startsAt))–\(time(shift.endsAt)), \(rest)\(clocked)"
    }

    /// As `21:04`, in Seoul.
    private static func time(_ seconds: Double?) -> String {
        seconds.map { String(Figures.instant(Date(timeIntervalSince1970: $0)).suffix(8).prefix(5)) } ?? "–"
    }
}
