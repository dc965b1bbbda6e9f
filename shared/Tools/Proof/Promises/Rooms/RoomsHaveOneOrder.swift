/// Each room has one order of events, which all devices see.
///
/// Assumes that each message has a marker that no other has and that edits keep, that `RoomHistory.table` was read after
/// all phones had stopped, and that the history has every deletion of the room's messages.
///
/// Checks, for each room: the numbers of the table are 1, 2, 3, … without a gap; every event that a device was shown is
/// that of the table with this number; what one page or connection shows has no gap, no repetition and no step back, and
/// follows the number it was asked for; a list that continues on a device repeats nothing; an acknowledged message is in
/// the room once, with the number of its answer, a refused one never, one with an unknown answer at most once; of two
/// messages the one that was acknowledged before the other was sent comes first; and an acknowledged deletion is there
/// once and hides the text from every page and connection that began after it.
package enum RoomsHaveOneOrder {
    package static let promise = "Each room has one order of messages, and every device sees it."
    /// The maximum number of violations of a room that are reported.
    private static let limit = 5

    package static func check(_ rooms: [RoomHistory]) -> Finding {
        let found = rooms.flatMap { room in
            let check = RoomCheck(room)
            return (check.numbering() + check.messages() + check.readings() + check.deletions()).prefix(limit)
        }
        return Finding(promise, checked: rooms.reduce(0) { $0 + $1.sends.count }, violations: found)
    }
}
