import Contracts
import FoundationEssentials
import TestKit
import Values

/// A random history of rooms, with each message kept by itself.
struct RoomHistory {
    struct Room {
        let id: PublicID
        let accounts: [AccountID]
        var last: Int64 = 0
        var isEnded = false
        /// The senders by number.
        var messages: [Int64: AccountID] = [:]
        var takenBack: Set<Int64> = []
        var read: [AccountID: Int64] = [:]
        /// Up to which number the members were in the room.
        var seen: [AccountID: Int64] = [:]
        var pushed: [AccountID: Set<Int64>] = [:]

        func unread(by account: AccountID) -> [Int64] {
            guard accounts.contains(account), !isEnded else { return [] }
            return messages.keys.filter {
                messages[$0] != account && $0 > read[account] ?? 0 && !takenBack.contains($0)
            }
        }

        /// The unread messages of which a push must still tell.
        func unpushed(to account: AccountID) -> [Int64] {
            unread(by: account).filter { $0 > seen[account] ?? 0 && pushed[account]?.contains($0) != true }
        }
    }

    /// What a request of the inbox delivers: events of one kind.
    enum Happening {
        case sent([ChatEvents.MessageSent])
        case read([ChatEvents.MessagesRead])
        case takenBack([ChatEvents.MessageTakenBack])
        case ended([ChatEvents.RoomEnded])
        case left(AccountID)
    }

    private(set) var rooms: [Room] = [
        Room(id: "a0", accounts: [1, 2]), Room(id: "a1", accounts: [1, 9]), Room(id: "a2", accounts: [2, 9]),
        Room(id: "a3", accounts: [1, 3]),
    ]
    /// The account that has withdrawn.
    private(set) var left: AccountID?
    private var past: [Happening] = []
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func pushed(_ pushes: [(account: AccountID, room: String, messages: ClosedRange<Int64>)]) {
        for push in pushes {
            guard let index = rooms.firstIndex(where: { $0.id.rawValue == push.room }) else { continue }
            let unread = rooms[index].unread(by: push.account).filter(push.messages.contains)
            rooms[index].pushed[push.account, default: []].formUnion(unread)
        }
    }

    mutating func next(at now: Date) -> [Happening] {
        let index = number(0...rooms.count - 1)
        var room = rooms[index]
        let one = room.accounts[number(0...1)]
        let other = room.accounts.first { $0 != one } ?? one
        var happening: Happening?
        switch number(0...99) {
        case 0...54 where !room.isEnded:
            happening = .sent((0..<number(1...3)).map { _ in write(&room, one, other, now) })
        case 55...72: happening = .read([read(&room, by: one)])
        case 73...84 where !room.isEnded: happening = takeBack(&room).map { .takenBack([$0]) }
        case 85...96 where !past.isEmpty: return [past[number(0...past.count - 1)]]
        case 97 where room.last > 20:
            room.isEnded = true
            happening = .ended([ChatEvents.RoomEnded(app: .anlaka, room: room.id, accounts: room.accounts)])
        case 98 where rooms[3].last > 5 && left == nil:
            left = 3
            return [.left(3)]
        default: room.last += 1
        }
        rooms[index] = room
        guard let happening else { return [] }
        past.append(happening)
        return [happening]
    }

    private mutating func write(
        _ room: inout Room,
        _ sender: AccountID,
        _ recipient: AccountID,
        _ now: Date
    ) -> ChatEvents.MessageSent {
        room.last += 1
        room.messages[room.last] = sender
        let (isSeen, isRead) = (number(0...9) == 0, number(0...1) == 0)
        if isSeen { room.seen[recipient] = room.last }
        if isSeen, isRead { room.read[recipient] = max(room.read[recipient] ?? 0, room.last) }
        return ChatEvents.MessageSent(
            app: .anlaka,
            room: room.id,
            sequence: room.last,
            sender: sender,
            recipient: recipient,
            text: "m\(room.last)",
            files: 0,
            isSeen: isSeen,
            isRead: isRead && isSeen,
            at: now
        )
    }

    /// Mostly a number that the room has; also one behind an earlier reading, and one beyond the last event.
    private mutating func read(_ room: inout Room, by account: AccountID) -> ChatEvents.MessagesRead {
        let through = Int64(number(0...Int(room.last) + 2))
        room.read[account] = max(room.read[account] ?? 0, through)
        return ChatEvents.MessagesRead(app: .anlaka, account: account, room: room.id, through: through)
    }

    private mutating func takeBack(_ room: inout Room) -> ChatEvents.MessageTakenBack? {
        let present = room.messages.keys.filter { !room.takenBack.contains($0) }.sorted()
        guard !present.isEmpty else { return nil }
        let message = present[number(max(0, present.count - 6)...present.count - 1)]
        guard let sender = room.messages[message] else { return nil }
        room.takenBack.insert(message)
        room.last += 1
        let recipient = room.accounts.first { $0 != sender } ?? sender
        return ChatEvents.MessageTakenBack(app: .anlaka, room: room.id, sequence: message, recipient: recipient)
    }
}
