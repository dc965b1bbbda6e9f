import Contracts

/// Each push arrives once, on the devices of the right person only, and in order.
///
/// Assumes that a marker is in the text of one occasion's push only, and that the lock screens of the sandbox, which stand
/// in for those of phones, have kept all that FCM was sent. Attempts with one message id are one push.
///
/// Checks that a push with a marker is for an occasion, whose recipient holds the device or has given it up less than
/// `lateness` ago; that a device was sent no second push with another message id for it; that of the pushes for one thread
/// a device got those with lower numbers first; and that each device of the recipient got a push for an occasion that must
/// arrive, either its own or a later one of the thread that tells of several.
package enum PushesArriveOnce {
    package static let promise = "Every push arrives once, at the right person's devices, in order."

    /// - Parameter lateness: Microseconds for which a push may have been on its way when a device changed its owner.
    package static func check(_ history: PushHistory, lateness: Int64 = 5_000_000) -> Finding {
        let check = Check(history, lateness: lateness)
        let byDevice = Dictionary(grouping: history.arrivals, by: \.device).sorted { $0.key < $1.key }
        var violations: [Violation] = []
        for (_, arrivals) in byDevice {
            let ordered = arrivals.sorted { $0.at < $1.at }
            let first = check.first(of: ordered)
            violations += ordered.compactMap(check.misdirection) + check.repetitions(first) + check.inversions(first)
        }
        violations += history.occasions.filter(\.mustArrive).flatMap(check.losses)
        return Finding(promise, checked: history.arrivals.count, violations: violations)
    }

    private struct Check {
        let lateness: Int64
        let occasions: [String: PushOccasion]
        let holdings: [String: [DeviceHolding]]
        let devices: [AccountID: [DeviceHolding]]
        let arrivals: [String: [PushArrival]]

        init(_ history: PushHistory, lateness: Int64) {
            self.lateness = lateness
            occasions = Dictionary(history.occasions.map { ($0.marker, $0) }) { first, _ in first }
            holdings = Dictionary(grouping: history.holdings, by: \.device)
            devices = Dictionary(grouping: history.holdings, by: \.account)
            arrivals = Dictionary(grouping: history.arrivals, by: \.device)
        }

        /// The first attempt of each push of a device.
        func first(of arrivals: [PushArrival]) -> [PushArrival] {
            var messages: Set<String> = []
            return arrivals.filter { messages.insert($0.message).inserted }
        }

        func misdirection(_ arrival: PushArrival) -> Violation? {
            guard let marker = arrival.marker else { return nil }
            guard let occasion = occasions[marker] else {
                return Violation(
                    "Device \(arrival.device) was pushed \"\(marker)\", which is no occasion.",
                    story: [arrival.step]
                )
            }
            let held = holdings[arrival.device] ?? []
            let isRight = held.contains { holding in
                let end = holding.until?.after(lateness) ?? arrival.at
                return holding.account == occasion.recipient && holding.since <= arrival.at && arrival.at <= end
            }
            guard !isRight else { return nil }
            let steps = held.flatMap { holding in
                let name = "device \(holding.device)"
                let end = holding.until.map { Step(at: $0, phone: name, what: "was given up by \(holding.account)") }
                return [Step(at: holding.since, phone: name, what: "belongs to account \(holding.account)")]
                    + [end].compactMap { $0 }
            }
            return Violation(
                "Device \(arrival.device) was pushed \"\(marker)\", which is for account \(occasion.recipient).",
                story: [occasion.step, arrival.step] + steps
            )
        }

        func repetitions(_ arrivals: [PushArrival]) -> [Violation] {
            var known: [String: PushArrival] = [:]
            return arrivals.compactMap { arrival in
                guard let marker = arrival.marker else { return nil }
                guard let first = known.updateValue(arrival, forKey: marker) else { return nil }
                return Violation(
                    "Device \(arrival.device) was pushed \"\(marker)\" twice, with different ids.",
                    story: [first.step, arrival.step]
                )
            }
        }

        func inversions(_ arrivals: [PushArrival]) -> [Violation] {
            var last: [String: (arrival: PushArrival, number: Int64)] = [:]
            return arrivals.compactMap { arrival in
                guard let occasion = arrival.marker.flatMap({ occasions[$0] }), let thread = occasion.thread else {
                    return nil
                }
                defer {
                    if occasion.number >= last[thread]?.number ?? .min { last[thread] = (arrival, occasion.number) }
                }
                guard let earlier = last[thread], earlier.number > occasion.number else { return nil }
                return Violation(
                    "Device \(arrival.device) was pushed number \(occasion.number) of \(thread) after \(earlier.number).",
                    story: [earlier.arrival.step, arrival.step, occasion.step]
                )
            }
        }

        /// The devices that the recipient held all the time and that got no push for it.
        func losses(_ occasion: PushOccasion) -> [Violation] {
            (devices[occasion.recipient] ?? []).compactMap { holding in
                guard holding.until == nil, holding.since < occasion.at else { return nil }
                let others = (arrivals[holding.device] ?? []).filter { arrival in
                    arrival.marker == nil && arrival.thread == occasion.thread && occasion.thread != nil
                }
                let isThere =
                    (arrivals[holding.device] ?? []).contains { $0.marker == occasion.marker }
                    || others.contains { $0.at >= occasion.at }
                guard !isThere else { return nil }
                return Violation(
                    "Device \(holding.device) of account \(holding.account) was never pushed \"\(occasion.marker)\".",
                    story: [occasion.step] + others.suffix(3).map(\.step)
                )
            }
        }
    }
}
