import Contracts

/// The seat layout of a car: five sections, of which the three non-priority ones have 12 or 14 seats (SeatCatcher
/// contract 3.4).
enum CarLayout: Sendable, Equatable {
    /// 48 seats.
    case short
    /// 54 seats.
    case long

    /// The series of a car is its number without the second digit: `2429` is 229, `7250` is 750.
    init(carCode: String) {
        let digits = carCode.utf8.map { Int($0) - 0x30 }
        let series = digits.count == 4 ? digits[0] * 100 + digits[2] * 10 + digits[3] : 0
        self = (201...205).contains(series) || (718...772).contains(series) ? .long : .short
    }

    var sections: [SeatSection] {
        switch self {
        case .short: [.priorityA, .normalA12, .normalB12, .normalC12, .priorityB]
        case .long: [.priorityA, .normalA14, .normalB14, .normalC14, .priorityB]
        }
    }

    var seatCount: Int { sections.reduce(0) { $0 + $1.seatCount } }

    /// The seats of a car, without occupants.
    func seats(of car: CarAddress) -> [Seat] {
        sections.flatMap { section in (0..<section.seatCount).map { (section, $0) } }.enumerated().map { index, place in
            Seat(
                id: SeatID(index, of: car),
                section: place.0.rawValue,
                location: place.1,
                type: place.0.seatType
            )
        }
    }
}

/// A group of seats, by its name in the client; the number in the name is the number of seats.
enum SeatSection: String, Sendable, CaseIterable {
    case priorityA = "PRIORITY_A"
    case normalA12 = "NORMAL_A_12"
    case normalB12 = "NORMAL_B_12"
    case normalC12 = "NORMAL_C_12"
    case normalA14 = "NORMAL_A_14"
    case normalB14 = "NORMAL_B_14"
    case normalC14 = "NORMAL_C_14"
    case priorityB = "PRIORITY_B"

    var seatCount: Int {
        switch self {
        case .priorityA, .priorityB: 6
        case .normalA12, .normalB12, .normalC12: 12
        case .normalA14, .normalB14, .normalC14: 14
        }
    }

    var seatType: String {
        switch self {
        case .priorityA, .priorityB: "PRIORITY"
        default: "NORMAL"
        }
    }
}
