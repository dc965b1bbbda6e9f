import Contracts

/// The states of a seat, each by the class of its shape.
enum SeatState: String, Sendable, CaseIterable {
    case free, taken, requested, overdue

    init(_ seat: OperatorsAPI.Seat) {
        self =
            switch seat.sitter {
            case nil: .free
            case let sitter? where sitter.isOverdue: .overdue
            case let sitter? where !sitter.requesters.isEmpty: .requested
            default: .taken
            }
    }

    /// What is drawn in the seat, so that its state shows without colours.
    var mark: String {
        switch self {
        case .free: ""
        case .taken: "●"
        case .requested: "?"
        case .overdue: "×"
        }
    }

    func name(_ language: Language) -> String {
        switch self {
        case .free: language("free", "빈자리")
        case .taken: language("taken", "착석")
        case .requested: language("taken, and requested", "착석, 양보 요청 있음")
        case .overdue: language("about to be freed", "곧 비워짐")
        }
    }
}
