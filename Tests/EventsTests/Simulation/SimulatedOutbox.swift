import FoundationEssentials

@testable import Events

/// The publisher's outbox and its deliveries to one subscriber. The statements of `DeliveryStore`
/// are one step each, except that `take` reads before it writes.
struct SimulatedOutbox: Sendable {
    struct Row: Sendable {
        let event: SimulatedEvent
        /// In milliseconds.
        let createdAt: Int64
        var dueAt: Int64
        var refusals = 0
        var isTried = false
        var refusedAt: Int64?
        var isParked = false
    }

    /// Those that are not confirmed, in the order of numbers.
    private(set) var rows: [Row] = []
    private(set) var published: [SimulatedEvent] = []
    let defect: RelayModel.Defect?

    init(defect: RelayModel.Defect?) { self.defect = defect }

    mutating func publish(key: Int, _ kind: SimulatedEvent.Kind, at now: Int64) -> SimulatedEvent {
        let event = SimulatedEvent(number: Int64(published.count), key: key, kind: kind)
        published.append(event)
        rows.append(Row(event: event, createdAt: now, dueAt: now))
        return event
    }

    func event(_ delivery: Delivery) -> SimulatedEvent { published[Int(delivery.event)] }

    /// The snapshot of a statement.
    struct Reading: Sendable {
        let lane: Delivery.Lane
        /// That of the statement's beginning.
        let instant: Int64
        /// In the order of numbers.
        let rows: [(event: Int64, isFirst: Bool)]
    }

    /// What `DeliveryStore.take` reads.
    func read(_ lane: Delivery.Lane, limit: Int, at now: Int64) -> Reading {
        let due = rows.indices.filter { index in
            let row = rows[index]
            return row.dueAt <= now && !row.isParked && row.isTried == (lane == .tried)
        }
        let oldest = due.sorted { (rows[$0].dueAt, $0) < (rows[$1].dueAt, $1) }.prefix(limit).sorted()
        return Reading(lane: lane, instant: now, rows: oldest.map { (rows[$0].event.number, isFirst($0)) })
    }

    /// What `DeliveryStore.take` writes, to rows that are still due. Others may have been confirmed since it read.
    mutating func take(_ reading: Reading, _ policy: OutboxRelay.RetryPolicy) -> DeliveryStore.Taken {
        let now = reading.instant
        var taken = DeliveryStore.Taken()
        for (event, isFirst) in reading.rows {
            guard let index = index(event), rows[index].dueAt <= now else { continue }
            guard isFirst else {
                let wait = max((now - rows[index].createdAt) / 2, policy.firstPause.milliseconds)
                rows[index].dueAt = now + min(wait, 60_000)
                taken.postponed += 1
                continue
            }
            rows[index].dueAt = defect == .leasesForEver ? .max : now + policy.lease.milliseconds
            taken.deliveries.append(Delivery(rows[index]))
        }
        return taken
    }

    private func isFirst(_ index: Int) -> Bool {
        guard defect != .ignoresOrder else { return true }
        let key = rows[index].event.key
        return !rows[..<index].contains { $0.event.key == key && (!$0.isParked || defect == .parkedBlocksKey) }
    }

    mutating func confirm(_ deliveries: [Delivery], at now: Int64) {
        for delivery in deliveries {
            guard let index = index(delivery.event) else { continue }
            let key = rows.remove(at: index).event.key
            let next = rows[index...].firstIndex { $0.event.key == key && !$0.isParked }
            if let next { rows[next].dueAt = min(rows[next].dueAt, now) }
        }
    }

    mutating func putOff(_ deliveries: [Delivery], for pause: Duration, hasFailed: Bool, at now: Int64) {
        for index in deliveries.compactMap({ index($0.event) }) {
            rows[index].dueAt = now + pause.milliseconds
            rows[index].isTried = rows[index].isTried || hasFailed
        }
    }

    /// - Returns: The numbers of the parked events.
    mutating func setBack(_ failures: [Delivery.Failure], parkAfter delay: Duration, at now: Int64) -> [Int64] {
        var parked: [Int64] = []
        for failure in failures {
            guard let index = index(failure.delivery.event) else { continue }
            rows[index].refusals += 1
            rows[index].dueAt = now + failure.pause.milliseconds
            rows[index].isTried = true
            if failure.isMalformed { rows[index].refusedAt = rows[index].refusedAt ?? now }
            let isOld = rows[index].refusedAt.map { $0 <= now - delay.milliseconds } ?? false
            rows[index].isParked = failure.isMalformed && isOld
            if rows[index].isParked { parked.append(failure.delivery.event) }
        }
        return parked
    }

    private func index(_ event: Int64) -> Int? { rows.firstIndex { $0.event.number == event } }
}

extension Delivery {
    fileprivate init(_ row: SimulatedOutbox.Row) {
        let event = row.event
        self.init(event: event.number, id: event.id, name: event.name, body: "{}", refusals: row.refusals)
    }
}

extension SimulatedEvent {
    var id: UUID {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return UUID(
            uuid: (
                bytes[7], bytes[6], bytes[5], bytes[4], bytes[3], bytes[2], bytes[1], bytes[0], 0, 0, 0, 0, 0, 0, 0, 0
            )
        )
    }
}

extension Duration {
    /// Rounded up.
    var milliseconds: Int64 { Int64((seconds * 1_000).rounded(.up)) }
}
