import Synchronization

/// The last events that this replica has written or received, which need not be read when their notification arrives.
final class RecentEvents: Sendable {
    private let recent = Mutex<[RoomEvent]>([])

    private static let limit = 128

    func append(_ events: [RoomEvent]) {
        recent.withLock { recent in
            recent += events
            if recent.count > 2 * Self.limit { recent.removeFirst(recent.count - Self.limit) }
        }
    }

    /// - Returns: nil when one of the events is missing.
    func events(in range: EventRange) -> [RoomEvent]? {
        let found = recent.withLock { recent in
            recent.filter { event in
                event.message.room == range.room && event.sequence > range.after && event.sequence <= range.through
            }
        }
        return found.count == range.through - range.after ? found.sorted { $0.sequence < $1.sequence } : nil
    }
}
