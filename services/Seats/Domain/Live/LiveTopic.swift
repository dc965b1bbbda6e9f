/// What sockets can listen to. Topics of one passenger carry that passenger's id, so that nobody else's socket can be on
/// them, whatever it subscribed to.
enum LiveTopic: Sendable, Hashable {
    /// Who sits where in a car; `[SeatChange]`.
    case car(CarAddress)
    /// Wishes for the seat that the owner sits on; `OwnerNotice`.
    case owner(seat: Int64, account: Int64)
    /// What became of the requester's wish; `YieldReply`.
    case requester(seat: Int64, account: Int64)
    /// How a journey goes on; `PathState`.
    case path(Int64)
    /// What anybody says to everybody; a text.
    case hello

    /// `car/2234/2429`, `owner/101/7`, `requester/101/9`, `path/12`, `hello`.
    var name: String {
        switch self {
        case .car(let car): "car/\(car.train.text)/\(car.code)"
        case .owner(let seat, let account): "owner/\(seat)/\(account)"
        case .requester(let seat, let account): "requester/\(seat)/\(account)"
        case .path(let id): "path/\(id)"
        case .hello: "hello"
        }
    }

    /// Every car of a train, for who has not looked at one yet.
    static func everyCar(of train: TrainCode) -> String {
        "car/\(train.text)/*"
    }

    init?(name: some StringProtocol) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("car", 3):
            self = .car(CarAddress(storedTrain: String(parts[1]), code: String(parts[2])))
        case ("hello", 1):
            self = .hello
        case ("path", 2):
            guard let id = Int64(parts[1]) else { return nil }
            self = .path(id)
        case ("owner", 3), ("requester", 3):
            guard let seat = Int64(parts[1]), let account = Int64(parts[2]) else { return nil }
            self = parts[0] == "owner" ? .owner(seat: seat, account: account) : .requester(seat: seat, account: account)
        default:
            return nil
        }
    }
}
