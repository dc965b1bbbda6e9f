/// A subway line, with the names and numbers that the apps and the arrivals service use (SeatCatcher contract 3.3).
package enum Line: String, Sendable, CaseIterable {
    case line1 = "LINE_1"
    case line2 = "LINE_2"
    case line3 = "LINE_3"
    case line4 = "LINE_4"
    case line5 = "LINE_5"
    case line6 = "LINE_6"
    case line7 = "LINE_7"
    case line8 = "LINE_8"
    case line9 = "LINE_9"
    case suinBundang = "SUIN_BUNDANG"
    case gyeongui = "GYEONGUI"
    case gyeongchun = "GYEONGCHUN"
    case jungang = "JUNGANG"
    case airport = "AIRPORT"
    case shinbundang = "SHINBUNDANG"
    case uiSinseol = "UI_SINSEOL"
    case seohae = "SEOHAE"

    /// The number that the apps show: `2`, `75`.
    package var number: String {
        switch self {
        case .line1, .line2, .line3, .line4, .line5, .line6, .line7, .line8, .line9: String(rawValue.suffix(1))
        case .suinBundang: "75"
        case .gyeongui: "63"
        case .gyeongchun: "67"
        case .jungang: "61"
        case .airport: "65"
        case .shinbundang: "77"
        case .uiSinseol: "92"
        case .seohae: "93"
        }
    }

    /// A line by its number (`2`) or its name (`LINE_2`).
    package init?(parsing text: String) {
        guard let line = Self.allCases.first(where: { $0.number == text || $0.rawValue == text }) else { return nil }
        self = line
    }

    /// The direction in which the station data lists the stops (SeatCatcher contract W15): away from the first row is
    /// down, but line 1 is listed towards 청량리, which is up, and line 2 clockwise, which is the inner circle.
    package var listed: Direction {
        switch self {
        case .line1, .line2: .up
        default: .down
        }
    }
}
