extension RoomCheck {
    /// What devices were shown, against the table and against itself.
    func readings() -> [Violation] {
        room.readings.flatMap { order(in: $0) + content(of: $0) } + repetitions()
    }

    /// Gaps, repetitions and steps back.
    private func order(in reading: RoomReading) -> [Violation] {
        var last = reading.after
        var previous: ShownEvent?
        for event in reading.events {
            defer { (last, previous) = (event.number, event) }
            guard let last else { continue }
            let steps = [reading.step, previous.map(reading.step)].compactMap { $0 } + [reading.step(event)]
            if event.number == last {
                return [violation("\(reading.device) was shown number \(event.number) twice.", steps)]
            }
            if event.number < last {
                return [violation("\(reading.device) was shown number \(event.number) after \(last).", steps)]
            }
            if let missed = missed(reading, after: last, before: event.number, at: event.at) {
                let numbers = "number \(event.number) after \(last), without \(missed.number)"
                let sentence = "\(reading.device) was shown \(numbers)."
                return [violation(sentence, steps + [missed.step(at: end)])]
            }
        }
        if reading.isCurrent, let last, let missed = missed(reading, after: last, before: .max, at: reading.ended) {
            let sentence = "\(reading.device) was connected until the end, but never shown number \(missed.number)."
            return [violation(sentence, [reading.step, missed.step(at: end)])]
        }
        return []
    }

    /// The first event between two numbers that a reading had to show.
    private func missed(_ reading: RoomReading, after: Int64, before: Int64, at moment: Moment) -> RoomEventRow? {
        let first = events.partitioningIndex { $0.number > after }
        return events[first...].prefix { $0.number < before }.first { row in
            guard reading.kinds.contains(row.kind) else { return false }
            let isDeleted = deletedSince[row.message].map { $0 <= moment } ?? false
            return !(reading.skipsDeleted && isDeleted)
        }
    }

    /// Events that are not those of the table.
    private func content(of reading: RoomReading) -> [Violation] {
        for event in reading.events {
            guard let row = rows[event.number] else {
                let sentence = "\(reading.device) was shown number \(event.number), which the room does not have."
                return [violation(sentence, [reading.step(event)])]
            }
            let hasOtherText =
                event.marker != nil && texts[event.message].map { $0 != event.marker } ?? false
            guard row.kind != event.kind || row.message != event.message || hasOtherText else { continue }
            let sentence = "\(reading.device) was shown another number \(event.number) than the room has."
            let other = room.readings.lazy.flatMap { other in
                other.events.lazy.filter { $0.message == event.message && $0.marker != event.marker }.map(other.step)
            }
            return [violation(sentence, [reading.step(event), row.step(at: end)] + other.prefix(1))]
        }
        return []
    }

    /// Events that were shown again on a device whose list continues.
    private func repetitions() -> [Violation] {
        let devices = Dictionary(grouping: room.readings, by: \.device).sorted { $0.key < $1.key }
        return devices.compactMap { repetition(in: $0.value.sorted { $0.begun < $1.begun }) }
    }

    /// - Parameter readings: Of one device, in their order.
    private func repetition(in readings: [RoomReading]) -> Violation? {
        var shown: [Int64: Int] = [:]
        for (index, reading) in readings.enumerated() {
            for event in reading.events where reading.continuesList {
                guard let first = shown[event.number].map({ readings[$0] }) else { continue }
                let sentence = "\(reading.device) was shown number \(event.number) again after it connected again."
                let before = first.events.first { $0.number == event.number }.map(first.step)
                return violation(
                    sentence,
                    [first.step, before, reading.step, reading.step(event)].compactMap { $0 }
                )
            }
            for event in reading.events { shown[event.number] = index }
        }
        return nil
    }
}

extension RandomAccessCollection {
    /// The index of the first element that a predicate holds for, if it holds for all after it too.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if holds(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}
