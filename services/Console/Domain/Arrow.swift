import Contracts

/// The calls from one program to another, or to an outside system, of the last hour.
struct Arrow: Sendable, Equatable {
    var program: String
    var target: String
    var calls: Int
    var failures: Int
    /// Of the last five minutes.
    var recentCalls: Int
    var recentFailures: Int
    /// The number of calls by duration; see `ConsoleAPI.Calls.Target.bounds`.
    var times: [Int]

    /// Calls per second.
    var rate: Double { Double(calls) / 3600 }

    /// The bound in milliseconds below which a share of the calls stayed; nil above the last bound, or without calls.
    func bound(of share: Double) -> Int? {
        let total = times.reduce(0, +)
        var sum = 0
        for (count, bound) in zip(times, ConsoleAPI.Calls.Target.bounds) {
            sum += count
            if sum > 0, Double(sum) >= share * Double(total) { return bound }
        }
        return nil
    }
}

/// What is wrong, from the calls of the last five minutes: the arrow with the most failures, if it has more than one of 50.
struct Complaint: Sendable, Equatable {
    var program: String
    var target: String
    var failures: Int
    var calls: Int

    init?(_ arrows: [Arrow]) {
        let failing = arrows.filter { $0.recentFailures * 50 > $0.recentCalls }
        guard let worst = failing.max(by: { $0.recentFailures < $1.recentFailures }) else { return nil }
        (program, target) = (worst.program, worst.target)
        (failures, calls) = (worst.recentFailures, worst.recentCalls)
    }
}
