/// Up to where the events of a room have been delivered to the subscribers of this process.
enum RoomCursor: Sendable, Equatable {
    /// The room's last number is being read; `announced` is the highest number announced meanwhile.
    case locating(announced: Int64)
    case at(Int64)
    /// Events are being read; `announced` is the highest number announced meanwhile.
    case reading(from: Int64, announced: Int64)

    /// The last delivered number; nil while it is being read.
    var delivered: Int64? {
        switch self {
        case .locating: nil
        case .at(let number), .reading(let number, _): number
        }
    }

    /// The room's last number was read.
    ///
    /// - Returns: The highest number announced meanwhile; 0 for none.
    mutating func locate(at number: Int64) -> Int64 {
        defer { self = .at(number) }
        guard case .locating(let announced) = self else { return 0 }
        return announced
    }

    /// Takes an event, if it is the next one.
    ///
    /// - Returns: Whether it is delivered now.
    mutating func take(_ number: Int64) -> Bool {
        guard case .at(let delivered) = self, number == delivered + 1 else { return false }
        self = .at(number)
        return true
    }

    /// Handles the announcement of events.
    ///
    /// - Returns: Whether events are to be read now.
    mutating func advance(through number: Int64) -> Bool {
        switch self {
        case .locating(let announced):
            self = .locating(announced: max(announced, number))
            return false
        case .reading(let from, let announced):
            self = .reading(from: from, announced: max(announced, number))
            return false
        case .at(let delivered):
            guard number > delivered else { return false }
            self = .reading(from: delivered, announced: number)
            return true
        }
    }

    /// A page of events was read.
    ///
    /// - Parameters:
    ///   - number: They follow this number.
    ///   - last: The number of the last one; nil when there was none, because the room was deleted.
    /// - Returns: Whether more are to be read; nil when the page is outdated, and not delivered.
    mutating func read(after number: Int64, last: Int64?) -> Bool? {
        guard case .reading(number, let announced) = self else { return nil }
        let delivered = last ?? number
        let isDone = last == nil || delivered >= announced
        self = isDone ? .at(delivered) : .reading(from: delivered, announced: announced)
        return !isDone
    }
}
