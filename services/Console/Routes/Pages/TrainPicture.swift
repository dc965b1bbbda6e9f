import Contracts

/// A car from above: its sections from left to right with doors between them, each with two rows of seats that face each
/// other.
struct TrainPicture {
    let car: OperatorsAPI.Car
    let language: Language

    /// Lengths in the units of the picture.
    private static let (seat, pitch, door, margin, height) = (20, 22, 22, 12, 96)

    /// Neighbouring seats of the same section.
    private var sections: [[OperatorsAPI.Seat]] {
        car.seats.reduce(into: []) { sections, seat in
            if sections.last?.first?.section == seat.section {
                sections[sections.count - 1].append(seat)
            } else {
                sections.append([seat])
            }
        }
    }

    var svg: HTML {
        var (left, shapes): (Int, [HTML]) = (Self.margin, [])
        for (number, section) in sections.enumerated() {
            if number > 0 {
                shapes += [0, Self.height - 4].map { door(left, $0) }
                left += Self.door
            }
            let columns = (section.count + 1) / 2
            shapes += section.map { shape($0, left: left, columns: columns) }
            left += columns * Self.pitch
        }
        let width = left + Self.margin
        let taken = car.seats.count { $0.sitter != nil }
        let title = language(
            "\(taken) of \(car.seats.count) seats are taken",
            "좌석 \(car.seats.count)개 중 \(taken)개 사용 중"
        )
        return """
            <svg class="car" viewBox="0 0 \(width) \(Self.height)" role="img" aria-label="\(title)">\
            <rect class="body" x="2" y="2" width="\(width - 4)" height="\(Self.height - 4)" rx="10"/>\(shapes)</svg>
            """
    }

    private func door(_ left: Int, _ top: Int) -> HTML {
        "<rect class=\"door\" x=\"\(left - 1)\" y=\"\(top)\" width=\"\(Self.door - 2)\" height=\"4\"/>"
    }

    private func shape(_ seat: OperatorsAPI.Seat, left: Int, columns: Int) -> HTML {
        let state = SeatState(seat)
        let isOpposite = seat.location >= columns
        let x = left + (isOpposite ? seat.location - columns : seat.location) * Self.pitch
        let y = isOpposite ? Self.height - Self.margin - Self.seat : Self.margin
        let sitter = seat.sitter.map { ", \($0.account) \($0.nickname)" } ?? ""
        let priority = seat.type == "NORMAL" ? "" : " priority"
        return """
            <g class="seat \(state.rawValue)\(priority)"><title>\(seat.section) \(seat.location): \
            \(state.name(language))\(sitter)</title>\
            <rect x="\(x)" y="\(y)" width="\(Self.seat)" height="\(Self.seat)" rx="4"/>\
            <text x="\(x + Self.seat / 2)" y="\(y + 15)">\(state.mark)</text></g>
            """
    }
}
