/// How available the routes were, and how soon they were available again after each fault.
///
/// Assumes that `FaultSpan.kinds` names all routes that a fault may touch.
///
/// A request counts for the share of its kind unless it overlaps with a fault of its kind or the time in which the stack
/// may recover from it. The recovery of a kind from a fault is the time from its end to the begin of the last request
/// that was not answered, until the next fault of the kind begins or `horizon` has passed; 0 if all were answered. A
/// request that has waited for less than the goal when that fault begins is due to that one.
package struct Availability: Sendable, Equatable {
    package struct Share: Sendable, Equatable {
        package var kind: String
        package var answered: Int
        /// Without those that overlap with faults.
        package var asked: Int
        /// Those that overlap with faults of their kind.
        package var duringFaults: Int

        /// 1 without requests.
        package var share: Double { asked == 0 ? 1 : Double(answered) / Double(asked) }
    }

    package struct Recovery: Sendable, Equatable {
        package var fault: FaultSpan
        /// The kind that took longest.
        package var kind: String
        /// Microseconds.
        package var time: Int64
        /// The number of requests of the kinds in the time that was looked at; 0 says nothing.
        package var asked: Int
        /// The last request that was not answered.
        package var last: RouteAnswer?
    }

    /// The goals: the share of answered requests, and microseconds of a recovery.
    package static let goal = 0.999
    package static let recoveryGoal: Int64 = 2_000_000

    /// In the order of kinds.
    package var shares: [Share]
    /// In the order of the faults' ends.
    package var recoveries: [Recovery]

    /// All requests outside of faults.
    package var share: Double {
        let (answered, asked) = shares.reduce((0, 0)) { ($0.0 + $1.answered, $0.1 + $1.asked) }
        return asked == 0 ? 1 : Double(answered) / Double(asked)
    }

    /// Of the faults after which something was asked, those after which all was answered from the goal on.
    package var prompt: (count: Int, of: Int) {
        let asked = recoveries.filter { $0.asked > 0 }
        return (asked.count { $0.time <= Self.recoveryGoal }, asked.count)
    }

    /// Those that took time, the slowest first.
    package var slowestRecoveries: [Recovery] { recoveries.filter { $0.time > 0 }.sorted { $0.time > $1.time } }

    /// - Parameters:
    ///   - recovery: Microseconds after the end of a fault in which unanswered requests do not count.
    ///   - horizon: Microseconds after the end of a fault in which an unanswered request is due to it.
    package init(
        of answers: [RouteAnswer],
        during faults: [FaultSpan],
        recovery: Int64 = Self.recoveryGoal,
        horizon: Int64 = 10_000_000
    ) {
        let byKind = Dictionary(grouping: answers, by: \.kind).mapValues { $0.sorted { $0.begun < $1.begun } }
        shares = byKind.sorted { $0.key < $1.key }.map { kind, answers in
            let own = faults.filter { $0.kinds.contains(kind) }
            let spans = TimeSpans(own.map { ($0.begun, $0.ended.after(recovery)) })
            let counted = answers.filter { !spans.overlap($0.begun, $0.ended) }
            return Share(
                kind: kind,
                answered: counted.count(where: \.isAnswered),
                asked: counted.count,
                duringFaults: answers.count - counted.count
            )
        }
        let failed = byKind.mapValues { $0.filter { !$0.isAnswered } }
        recoveries = faults.sorted { $0.ended < $1.ended }.map { fault in
            var slowest = Recovery(fault: fault, kind: "", time: 0, asked: 0)
            for kind in fault.kinds.sorted() {
                let later = faults.filter { $0.kinds.contains(kind) && $0.ended > fault.ended }
                let (next, end) = (later.map(\.begun).min(), fault.ended.after(horizon))
                func isOfFault(_ answer: RouteAnswer) -> Bool {
                    guard fault.ended <= answer.begun, answer.begun < end else { return false }
                    guard let next else { return true }
                    return answer.ended <= next || answer.begun.after(Self.recoveryGoal) < next
                }
                slowest.asked += (byKind[kind] ?? []).count(where: isOfFault)
                let last = (failed[kind] ?? []).last(where: isOfFault)
                let time = last.map { $0.begun.microseconds - fault.ended.microseconds } ?? 0
                if time > slowest.time || slowest.kind.isEmpty {
                    (slowest.time, slowest.kind, slowest.last) = (time, kind, last)
                }
            }
            return slowest
        }
    }
}
