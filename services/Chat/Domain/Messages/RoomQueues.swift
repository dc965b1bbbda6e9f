import Contracts
import DequeModule

/// A queue per room. A room whose elements have been taken is taken with them: what is appended meanwhile waits until the
/// room is released, so that the order in a room is kept whatever becomes of the others.
struct RoomQueues<Element> {
    /// The queues of the rooms that are ready or taken.
    private var queues: [RoomID: Deque<Element>] = [:]
    /// The rooms that have elements and are not taken, longest ready first.
    private var ready: Deque<RoomID> = []

    /// No room has elements that can be taken.
    var isIdle: Bool { ready.isEmpty }

    mutating func append(_ element: Element, to room: RoomID) {
        if queues[room] == nil { ready.append(room) }
        queues[room, default: []].append(element)
    }

    /// Takes the first elements of one or more rooms, and the rooms.
    ///
    /// - Returns: At most `limit` elements; none when there is no room to take.
    mutating func take(_ limit: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < limit, let room = ready.popFirst() {
            let first = queues[room, default: []].prefix(limit - taken.count)
            taken += first
            queues[room]?.removeFirst(first.count)
        }
        return taken
    }

    /// Puts elements back before the others of their room, which stays taken.
    mutating func putBack(_ elements: [Element], to room: RoomID) {
        queues[room, default: []].prepend(contentsOf: elements)
    }

    /// Removes the first elements of a room for as long as they meet a condition.
    mutating func removeFirst(of room: RoomID, while condition: (Element) -> Bool) -> [Element] {
        let first = Array(queues[room, default: []].prefix(while: condition))
        queues[room]?.removeFirst(first.count)
        return first
    }

    /// Ends the taking of a room.
    mutating func release(_ room: RoomID) {
        if queues[room]?.isEmpty ?? true {
            queues[room] = nil
        } else {
            ready.append(room)
        }
    }
}
