import Contracts

/// Topics of socket messages. A topic of one passenger contains the passenger's id, so that no other passenger's socket
/// receives it, even with a forged subscription.
enum LiveTopic: Sendable, Hashable {
    /// Changes of a car's occupants; `[SeatChange]`.
    case car(CarAddress)
    /// Requests for the owner's seat; `OwnerMessage`.
    case owner(seat: SeatID, account: AccountID)
    /// The decision about a passenger's request; `YieldReply`.
    case requester(seat: SeatID, account: AccountID)
    /// The progress of a journey; `PathState`.
    case path(JourneyID)

    /// `car/2234/2429`, `owner/101/7`, `requester/101/9`, `path/12`.
    var name: String {
        switch self {
        case .car(let car): "car/\(car.train.text)/\(car.code)"
        case .owner(let seat, let account): "owner/\(seat)/\(account)"
        case .requester(let seat, let account): "requester/\(seat)/\(account)"
        case .path(let id): "path/\(id)"
        }
    }

    /// Whether its messages are alerted by push unless a socket has got them.
    var isAlerted: Bool {
        switch self {
        case .owner, .requester: true
        case .car, .path: false
        }
    }

    /// Whether it is the pattern of `everyCar`.
    var isEveryCar: Bool { if case .car(let car) = self { car.code == "*" } else { false } }

    /// The pattern for every car of a train, for a passenger without a watched car.
    static func everyCar(of train: TrainCode) -> String {
        "car/\(train.text)/*"
    }

    init?(name: some StringProtocol) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("car", 3):
            self = .car(CarAddress(storedTrain: String(parts[1]), code: String(parts[2])))
        case ("path", 2):
            guard let id = JourneyID(parts[1]) else { return nil }
            self = .path(id)
        case ("owner", 3), ("requester", 3):
            guard let seat = SeatID(parts[1]), let account = AccountID(parts[2]) else { return nil }
            self = parts[0] == "owner" ? .owner(seat: seat, account: account) : .requester(seat: seat, account: account)
        default:
            return nil
        }
    }
}
