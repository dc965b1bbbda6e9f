import Contracts
import FoundationEssentials

/// A car with its seats, as they are now.
struct TrainPage {
    let car: OperatorsAPI.Car
    let language: Language

    var html: HTML {
        """
        <p class="facts">\(facts.map { "<span>\($0)</span>" as HTML })\
        <a href="\(Layout.root)/story?q=\(car.train)-\(car.car)">\(language("stories", "이야기"))</a></p>
        \(TrainPicture(car: car, language: language).svg)
        <ul class="legend">\(SeatState.allCases.map(legend))</ul>
        \(table)
        """
    }

    private var facts: [String] {
        let taken = car.seats.count { $0.sitter != nil }
        var facts = [language("\(taken) of \(car.seats.count) seats taken", "좌석 \(car.seats.count)개 중 \(taken)개 사용 중")]
        if let line = car.line { facts.append(language("line \(line)", "\(line)호선")) }
        if let terminal = car.terminal {
            let time = car.terminalAt.map { " " + Figures.instant(Date(timeIntervalSince1970: $0)) } ?? ""
            facts.append(language("ends at \(terminal)\(time)", "\(terminal)행\(time)"))
        } else {
            facts.append(language("not sighted today", "오늘 운행 정보 없음"))
        }
        return facts
    }

    private func legend(_ state: SeatState) -> HTML {
        """
        <li><svg class="car" viewBox="0 0 20 20" aria-hidden="true"><g class="seat \(state.rawValue)">\
        <rect x="1" y="1" width="18" height="18" rx="4"/><text x="10" y="15">\(state.mark)</text></g></svg> \
        \(state.name(language))</li>
        """
    }

    private var table: HTML {
        let rows = car.seats.compactMap { seat in seat.sitter.map { row(seat, $0) } }
        guard !rows.isEmpty else {
            return "<p class=\"none\">\(language("All seats are free.", "모든 좌석이 비어 있습니다."))</p>"
        }
        return """
            <table><thead><tr><th scope="col">\(language("Seat", "좌석"))</th><th scope="col">\(language("State", "상태"))</th>\
            <th scope="col">\(language("Passenger", "승객"))</th><th scope="col">\(language("Since", "시작"))</th>\
            <th scope="col">\(language("Gets off at", "하차역"))</th><th scope="col">\(language("Arrives", "도착"))</th>\
            <th scope="col">\(language("Requested by", "요청자"))</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func row(_ seat: OperatorsAPI.Seat, _ sitter: OperatorsAPI.Sitter) -> HTML {
        """
        <tr><td>\(seat.section) \(seat.location)</td><td>\(SeatState(seat).name(language))</td>\
        <td>\(.account(sitter.account)) \(sitter.nickname)</td>\
        <td>\(Figures.instant(Date(timeIntervalSince1970: sitter.since)))</td><td>\(sitter.destination)</td>\
        <td>\(Figures.instant(Date(timeIntervalSince1970: sitter.arrivesAt)))</td>\
        <td>\(.accounts(sitter.requesters))</td></tr>

        """
    }
}
