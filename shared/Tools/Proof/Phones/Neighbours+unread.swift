import AppClients
import Apps
import Synchronization

/// What neighbours have read, and how much the server says is unread.
extension Neighbours {
    /// The numbers of the last events that the phones have shown.
    final class Seen: Sendable {
        private let numbers = Mutex<[Int: Int64]>([:])

        func see(_ number: Int64, on phone: Int) {
            numbers.withLock { $0[phone] = max($0[phone] ?? 0, number) }
        }

        func last(on phone: Int) -> Int64 { numbers.withLock { $0[phone] ?? 0 } }
    }

    /// Says up to where the phone's owner has read, which is what the phone has shown.
    func read(_ number: Int, _ cut: Duration?) async {
        let (client, room, through) = (clients[number], room, seen.last(on: number))
        let answer = await phones[number].attempt("chat", cut: cut) {
            try await client.send(\.markChatRoomRead, room, body: ["sequence": .integer(through)])
        }
        diary.note {
            $0.rooms[room, default: RoomHistory(room: room)].reads.append(RoomRead(answer.attempt, through: through))
        }
    }

    /// Reads the list of rooms.
    func countUnread(_ number: Int, _ cut: Duration?) async {
        let (client, room, phone) = (clients[number], room, phones[number])
        let answer = await phone.attempt("chat", cut: cut) { try await client.send(\.listChatRooms) }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        let rooms = JSON(parsing: response.bytes)?["data"]?.elements
        let own = rooms?.first { $0["room_id"]?.string == room }
        // A room that another person has opened is in the list from its first message on.
        guard rooms != nil, let count = own.map({ $0["unreadCount"]?.integer }) ?? 0 else {
            return phone.surprise("could not read how much is unread", answer.attempt)
        }
        diary.note {
            $0.rooms[room, default: RoomHistory(room: room)].unreadCounts.append(UnreadCount(answer.attempt, count))
        }
    }
}
