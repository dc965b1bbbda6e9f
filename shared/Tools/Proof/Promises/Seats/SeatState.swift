/// The occupants of seats, and the latest request of each person for each seat.
struct SeatState {
    /// A request for a seat.
    enum Request: Hashable {
        case none
        case pending(owner: Int)
        case accepted(owner: Int)
        /// Rejected, withdrawn or expired.
        case ended(owner: Int)
        /// No later act can observe it.
        case forgotten

        fileprivate init(code: Int32) {
            let owner = Int(code >> 2)
            switch code & 3 {
            case _ where code < 0: self = .forgotten
            case 1: self = .pending(owner: owner)
            case 2: self = .accepted(owner: owner)
            case 3: self = .ended(owner: owner)
            default: self = .none
            }
        }

        fileprivate var code: Int32 {
            switch self {
            case .none: 0
            case .pending(let owner): Int32(owner) << 2 | 1
            case .accepted(let owner): Int32(owner) << 2 | 2
            case .ended(let owner): Int32(owner) << 2 | 3
            case .forgotten: -1
            }
        }
    }

    private let seatCount: Int
    private let personCount: Int
    /// The occupants of the seats, the seats of the persons (-1 for none of both), and the requests of the pairs.
    private var cells: [Int32]
    private(set) var fingerprint = Fingerprint()
    /// The number of pairs that were forgotten.
    var forgotten = 0

    init(seats: Int, persons: Int, pairs: Int) {
        (seatCount, personCount) = (seats, persons)
        cells = [Int32](repeating: -1, count: seats + persons) + [Int32](repeating: 0, count: pairs)
    }

    var occupants: ArraySlice<Int32> { cells[..<seatCount] }

    func occupant(of seat: Int) -> Int? { cells[seat] < 0 ? nil : Int(cells[seat]) }

    func seat(of person: Int) -> Int? {
        let seat = cells[seatCount + person]
        return seat < 0 ? nil : Int(seat)
    }

    func request(_ pair: Int) -> Request { Request(code: cells[seatCount + personCount + pair]) }

    mutating func seat(_ person: Int, on seat: Int) {
        set(seat, Int32(person))
        set(seatCount + person, Int32(seat))
    }

    mutating func empty(_ seat: Int) {
        if let person = occupant(of: seat) { set(seatCount + person, -1) }
        set(seat, -1)
    }

    mutating func set(_ request: Request, of pair: Int) {
        if self.request(pair) != .forgotten { set(seatCount + personCount + pair, request.code) }
    }

    private mutating func set(_ place: Int, _ value: Int32) {
        guard cells[place] != value else { return }
        fingerprint.toggle(Int(cells[place]), at: place)
        fingerprint.toggle(Int(value), at: place)
        cells[place] = value
    }
}
