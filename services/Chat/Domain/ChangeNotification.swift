import FoundationEssentials

/// What replicas send each other by NOTIFY, as one line of words. Delivery is not guaranteed; the tables are the source
/// of truth.
enum ChangeNotification: Sendable, Equatable {
    /// A room has events up to this number.
    case happened(Int64, through: Int64, accounts: [Int64])
    /// An account has read a room up to this number.
    case read(Int64, by: Int64, through: Int64)
    /// An account is typing.
    case typing(Int64, by: Int64)
    /// An account has entered a room (true) or left it (false).
    case present(Int64, Int64, Bool)
    /// A room was deleted.
    case roomGone(Int64, accounts: [Int64])
    /// An account has a newer With Suhyeon socket, or has joined or left a room.
    case turned(Int64)
    /// A session was revoked.
    case sessionEnded(String)
    /// An account was withdrawn.
    case accountGone(Int64)

    var text: String {
        switch self {
        case .happened(let room, let through, let accounts): "e \(room) \(through) \(Self.list(accounts))"
        case .read(let room, let account, let through): "r \(room) \(account) \(through)"
        case .typing(let room, let account): "t \(room) \(account)"
        case .present(let room, let account, let isThere): "p \(room) \(account) \(isThere ? 1 : 0)"
        case .roomGone(let room, let accounts): "g \(room) \(Self.list(accounts))"
        case .turned(let account): "s \(account)"
        case .sessionEnded(let session): "x \(session)"
        case .accountGone(let account): "w \(account)"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int64($0) }
        switch (words.first, words.count) {
        case ("e", 4): self = .happened(numbers[0], through: numbers[1], accounts: Self.accounts(words[3]))
        case ("r", 4): self = .read(numbers[0], by: numbers[1], through: numbers[2])
        case ("t", 3): self = .typing(numbers[0], by: numbers[1])
        case ("p", 4): self = .present(numbers[0], numbers[1], numbers[2] == 1)
        case ("g", 3): self = .roomGone(numbers[0], accounts: Self.accounts(words[2]))
        case ("s", 2): self = .turned(numbers[0])
        case ("x", 2): self = .sessionEnded(String(words[1]))
        case ("w", 2): self = .accountGone(numbers[0])
        default: return nil
        }
    }

    private static func list(_ accounts: [Int64]) -> String {
        accounts.map(String.init).joined(separator: ",")
    }

    private static func accounts(_ word: Substring) -> [Int64] {
        word.split(separator: ",").compactMap { Int64($0) }
    }
}
