/// The check of one room.
struct RoomCheck {
    let room: RoomHistory
    /// The events of the table by number.
    let rows: [Int64: RoomEventRow]
    let events: [RoomEventRow]
    /// The end of the run as far as the history knows.
    let end: Moment
    /// The markers of messages, as far as the table has them, or else as one of the phones has sent or been shown them.
    let texts: [Int64: String]
    /// The messages that may have been deleted, with the earliest begin of a deletion.
    let deletedSince: [Int64: Moment]

    init(_ room: RoomHistory) {
        self.room = room
        events = room.table.sorted { $0.number < $1.number }
        rows = Dictionary(events.map { ($0.number, $0) }) { first, _ in first }
        let moments = room.sends.map { $0.attempt.ended ?? $0.attempt.begun } + room.readings.map(\.ended)
        end = moments.max() ?? .seconds(0)
        let stored = events.compactMap { row in row.marker.map { (row.message, $0) } }
        let answered = room.sends.compactMap { send in send.number.map { ($0, send.marker) } }
        let shown = room.readings.flatMap(\.events).compactMap { event in event.marker.map { (event.message, $0) } }
        texts = Dictionary(stored + answered + shown) { first, _ in first }
        deletedSince = Dictionary(
            room.deletions.filter { !$0.attempt.outcome.isRefused }.map { ($0.message, $0.attempt.begun) },
            uniquingKeysWith: min
        )
    }

    /// The numbers of the table.
    func numbering() -> [Violation] {
        for (place, row) in events.enumerated() where row.number != Int64(place) + 1 {
            let around = events[max(place - 2, 0)..<min(place + 3, events.count)]
            let what = place > 0 && events[place - 1].number == row.number ? "twice" : "after a gap"
            return [
                violation("the table has number \(row.number) \(what).", around.map { $0.step(at: end) })
            ]
        }
        return []
    }

    // MARK: Messages

    func messages() -> [Violation] {
        var places: [String: [Int64]] = [:]
        for row in events where row.kind == .sent {
            if let marker = row.marker { places[marker, default: []].append(row.number) }
        }
        // The texts of deleted messages are known from what was shown before.
        var shown: [String: Set<Int64>] = [:]
        for event in room.readings.flatMap(\.events) {
            if let marker = event.marker { shown[marker, default: []].insert(event.message) }
        }
        var found: [Violation] = []
        var ordered: [(send: MessageSend, number: Int64)] = []
        for send in room.sends {
            let numbers = Set(places[send.marker] ?? []).union(shown[send.marker] ?? [])
                .union([send.number].compactMap { $0 }.filter { rows[$0] != nil })
            let steps = [send.step] + numbers.sorted().compactMap { rows[$0]?.step(at: end) }
            if numbers.count > 1 {
                let list = numbers.sorted().map(String.init).joined(separator: ", ")
                found.append(violation("\"\(send.marker)\" is there more than once, as numbers \(list).", steps))
            }
            if let number = numbers.first, numbers.count == 1 { ordered.append((send, number)) }
            if let number = send.number, let row = rows[number],
                row.kind != .sent || row.marker ?? send.marker != send.marker
            {
                found.append(violation("\"\(send.marker)\" was answered as number \(number), which is another.", steps))
            }
            switch send.attempt.outcome {
            case .done where numbers.isEmpty && !mayBeDeletedUnseen(send):
                found.append(violation("\"\(send.marker)\" was acknowledged, and is lost.", steps))
            case .refused(let code) where !numbers.isEmpty:
                found.append(violation("\"\(send.marker)\" was refused with \(code), and is there.", steps))
            default:
                break
            }
        }
        return found + inversions(ordered)
    }

    /// A message without a number of its answer, which no device was shown, cannot be found once it is deleted.
    private func mayBeDeletedUnseen(_ send: MessageSend) -> Bool {
        send.number == nil && events.contains { $0.kind == .deleted }
    }

    /// Messages that come before another which was acknowledged before they were sent.
    private func inversions(_ ordered: [(send: MessageSend, number: Int64)]) -> [Violation] {
        let acknowledged = ordered.filter { $0.send.attempt.outcome.isDone && $0.send.attempt.ended != nil }
            .sorted { ($0.send.attempt.ended ?? end) < ($1.send.attempt.ended ?? end) }
        var (index, greatest): (Int, (send: MessageSend, number: Int64)?) = (0, nil)
        for later in ordered.sorted(by: { $0.send.attempt.begun < $1.send.attempt.begun }) {
            while index < acknowledged.count, acknowledged[index].send.attempt.precedes(later.send.attempt) {
                if acknowledged[index].number > greatest?.number ?? 0 { greatest = acknowledged[index] }
                index += 1
            }
            if let greatest, greatest.number > later.number {
                let sentence = """
                    "\(greatest.send.marker)" was acknowledged before "\(later.send.marker)" was sent, but comes after it.
                    """
                return [violation(sentence, [greatest.send.step, later.send.step])]
            }
        }
        return []
    }

    func violation(_ sentence: String, _ story: [Step]) -> Violation {
        Violation("Room \(room.room): \(sentence)", story: story)
    }
}
