import Contracts
import FoundationEssentials
import Postgres

/// What replicas announce to each other, as one line of words. Delivery is not guaranteed; the tables are the source of
/// truth.
enum ChangeNotification: Sendable, Equatable {
    /// A room has events up to this number.
    case eventsWritten(RoomID, through: Int64, accounts: [AccountID])
    /// An account has read a room up to this number.
    case read(RoomID, by: AccountID, through: Int64)
    /// An account is typing.
    case typing(RoomID, by: AccountID)
    /// An account has entered a room (true) or left it (false).
    case presence(RoomID, of: AccountID, isPresent: Bool)
    /// A room was deleted.
    case roomDeleted(RoomID, accounts: [AccountID])
    /// An account has a newer With Suhyeon socket, or has joined or left a room.
    case assignmentChanged(AccountID)
    /// A session was revoked.
    case sessionRevoked(String)
    /// An account was withdrawn.
    case accountWithdrawn(AccountID)
    /// A replica has died. Its last changes may not have been announced.
    case replicaLost

    static let channel = "chat_live"

    /// What it is about: copies without a listener for any of these need not know it. None for all copies.
    var keys: [String] {
        switch self {
        case .eventsWritten(let room, _, let accounts), .roomDeleted(let room, let accounts):
            [Self.key(room)] + accounts.map(Self.key)
        case .read(let room, _, _), .typing(let room, _), .presence(let room, _, _): [Self.key(room)]
        case .assignmentChanged(let account): [Self.key(account)]
        case .sessionRevoked, .accountWithdrawn, .replicaLost: []
        }
    }

    static func key(_ room: RoomID) -> String { "room/\(room)" }
    static func key(_ account: AccountID) -> String { "account/\(account)" }

    fileprivate var announcement: Announcement { Announcement(text, on: Self.channel, about: keys) }

    var text: String {
        switch self {
        case .eventsWritten(let room, let through, let accounts): "e \(room) \(through) \(Self.list(accounts))"
        case .read(let room, let account, let through): "r \(room) \(account) \(through)"
        case .typing(let room, let account): "t \(room) \(account)"
        case .presence(let room, let account, let isPresent): "p \(room) \(account) \(isPresent ? 1 : 0)"
        case .roomDeleted(let room, let accounts): "g \(room) \(Self.list(accounts))"
        case .assignmentChanged(let account): "s \(account)"
        case .sessionRevoked(let session): "x \(session)"
        case .accountWithdrawn(let account): "w \(account)"
        case .replicaLost: "l"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ")
        func word(_ index: Int) -> Substring { index < words.count ? words[index] : "" }
        switch word(0) {
        case "e":
            guard let room = RoomID(word(1)), let through = Int64(word(2)) else { return nil }
            self = .eventsWritten(room, through: through, accounts: Self.accounts(word(3)))
        case "r":
            guard let room = RoomID(word(1)), let reader = AccountID(word(2)), let through = Int64(word(3)) else {
                return nil
            }
            self = .read(room, by: reader, through: through)
        case "t":
            guard let room = RoomID(word(1)), let account = AccountID(word(2)) else { return nil }
            self = .typing(room, by: account)
        case "p":
            guard let room = RoomID(word(1)), let account = AccountID(word(2)) else { return nil }
            self = .presence(room, of: account, isPresent: word(3) == "1")
        case "g":
            guard let room = RoomID(word(1)) else { return nil }
            self = .roomDeleted(room, accounts: Self.accounts(word(2)))
        case "s":
            guard let account = AccountID(word(1)) else { return nil }
            self = .assignmentChanged(account)
        case "x":
            guard words.count == 2 else { return nil }
            self = .sessionRevoked(String(word(1)))
        case "w":
            guard let account = AccountID(word(1)) else { return nil }
            self = .accountWithdrawn(account)
        case "l":
            self = .replicaLost
        default:
            return nil
        }
    }

    private static func list(_ accounts: [AccountID]) -> String {
        accounts.map(String.init).joined(separator: ",")
    }

    private static func accounts(_ word: Substring) -> [AccountID] {
        word.split(separator: ",").compactMap { AccountID($0) }
    }
}

extension Announcer {
    func announce(_ changes: [ChangeNotification]) {
        announce(changes.map(\.announcement))
    }
}

extension PostgresTransaction {
    /// Announces the events of a room, with the events themselves where the announcer carries so much.
    func announce(_ events: [RoomEvent], in room: Room) {
        guard let last = events.last else { return }
        let written = ChangeNotification.eventsWritten(room.id, through: last.sequence, accounts: room.accounts)
        var announcement = written.announcement
        announcement.content = AnnouncedEvents.text(events).map { "\(written.text)\0\($0)" }
        announce([announcement])
    }

    func announce(_ changes: [ChangeNotification]) {
        announce(changes.map(\.announcement))
    }
}
