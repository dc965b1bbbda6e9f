import Subway

/// `statnId`: the line's id and a six-digit number that counts along the line, as in 1002000222 for 강남.
struct StationCodes: Sendable {
    private let codes: [StationID: String]

    init(_ stations: [Station]) {
        var codes: [StationID: String] = [:]
        var counts: [Line: Int] = [:]
        for station in stations where LineMap.stop(station.id) == station.id {
            let number =
                Self.firstNumber(of: station.line) + Self.step(of: station.line) * counts[station.line, default: 0]
            counts[station.line, default: 0] += 1
            codes[station.id] = "\(station.line.arrivalsID)000\(number)"
        }
        self.codes = codes
    }

    func code(_ id: StationID) -> String {
        codes[id] ?? "0"
    }

    private static func firstNumber(of line: Line) -> Int {
        switch line {
        case .line1: 133
        case .line2: 201
        case .line3: 319
        case .line4: 409
        case .line5: 510
        case .line6: 610
        case .line7: 709
        default: 810
        }
    }

    /// Line 1 is counted from the other end.
    private static func step(of line: Line) -> Int {
        line == .line1 ? -1 : 1
    }
}
