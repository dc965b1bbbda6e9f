import Contracts

/// The destinations of SeatCatcher contract 2.4. They contain no wildcards: a train's number has only letters, digits
/// and hyphens.
enum LiveDestination: Sendable, Equatable {
    /// `/topic/seat.{trainCode}`: the passenger's watched car of the train.
    case train(TrainCode)
    /// `/topic/seat.{seatId}.owner`
    case owner(seat: SeatID)
    /// `/topic/seat.{seatId}.requester.{userId}`
    case requester(seat: SeatID, account: AccountID)
    /// `/topic/path-histories.{pathHistoryId}`
    case path(JourneyID)
    /// `/topic/hello`
    case hello

    /// The destination of messages to the connection's own subscription of `/topic/hello`.
    static let helloInput = "/app/hello"

    init?(_ text: String) {
        guard let name = text.dropping("/topic/") else { return nil }
        if name == "hello" {
            self = .hello
        } else if let id = name.dropping("path-histories.") {
            guard let id = JourneyID(id), id.rawValue > 0 else { return nil }
            self = .path(id)
        } else if let seat = name.dropping("seat.") {
            let parts = seat.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            switch parts.count {
            case 1:
                guard let train = try? TrainCode(parsing: parts[0]) else { return nil }
                self = .train(train)
            case 2:
                guard let seat = SeatID(parts[0]), seat.rawValue > 0, parts[1] == "owner" else { return nil }
                self = .owner(seat: seat)
            case 3:
                guard let seat = SeatID(parts[0]), seat.rawValue > 0, parts[1] == "requester",
                    let account = AccountID(parts[2]),
                    account.rawValue > 0
                else { return nil }
                self = .requester(seat: seat, account: account)
            default:
                return nil
            }
        } else {
            return nil
        }
    }
}

extension StringProtocol {
    /// The text after a prefix; nil without the prefix.
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
