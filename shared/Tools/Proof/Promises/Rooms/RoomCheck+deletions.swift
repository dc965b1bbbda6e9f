extension RoomCheck {
    /// Deletions that were acknowledged.
    func deletions() -> [Violation] {
        let done = room.deletions.filter(\.attempt.outcome.isDone)
        let first = Dictionary(done.map { ($0.message, $0) }) { one, other in
            (one.attempt.ended ?? end) <= (other.attempt.ended ?? end) ? one : other
        }
        return first.sorted { $0.key < $1.key }.compactMap { message, deletion in
            inTable(deletion) ?? shownAfterwards(deletion)
        }
    }

    private func inTable(_ deletion: MessageDeletion) -> Violation? {
        let rows = events.filter { $0.kind == .deleted && $0.message == deletion.message }
        let steps = [deletion.step] + rows.map { $0.step(at: end) }
        if rows.count != 1 {
            let times = rows.isEmpty ? "is not there" : "is there \(rows.count) times"
            return violation("the deletion of message \(deletion.message) was acknowledged, and \(times).", steps)
        }
        guard let row = events.first(where: { $0.message == deletion.message && $0.marker != nil }) else { return nil }
        return violation(
            "message \(deletion.message) is deleted, and the table still has its text.",
            steps + [row.step(at: end)]
        )
    }

    /// A page or a connection that began after the deletion and shows the text. What an earlier connection shows may
    /// have been on its way.
    private func shownAfterwards(_ deletion: MessageDeletion) -> Violation? {
        guard let ended = deletion.attempt.ended else { return nil }
        for reading in room.readings where reading.begun > ended {
            if let event = reading.events.first(where: { $0.message == deletion.message && $0.marker != nil }) {
                let sentence = "\(reading.device) was shown message \(deletion.message) after it was deleted."
                return violation(sentence, [deletion.step, reading.step, reading.step(event)])
            }
        }
        return nil
    }
}
