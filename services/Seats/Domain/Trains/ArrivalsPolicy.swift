/// When the arrivals API is called: often enough for the passengers who watch a station, within the key's daily quota, and
/// not while it fails. Durations are seconds.
struct ArrivalsPolicy: Sendable, Equatable {
    /// `SEOUL_DAILY_CALLS`: the quota of a new key.
    var dailyCalls = 1_000
    /// How long an answer is fresh for a station that many passengers watch; for a single one, twice as long.
    var freshness = 10.0
    /// How long an answer is used while there is no newer one.
    var staleness = 120.0
    /// The time in which a copy of the service that asks has its answer, more than the client's timeout.
    var lease = 5.0
    /// At this number of failures in a row, no calls are made for a while.
    var failureLimit = 3
    var longestPause = 60.0

    /// The passengers who make an answer as fresh as it gets.
    static let manyWatchers = 5
    /// The part of the quota that may be used ahead of the time of the day.
    private static let reserve = 0.25

    /// The calls of the API in a day.
    struct Usage: Sendable, Equatable {
        var calls: Int
        /// The elapsed part of the day, from 0 to 1.
        var elapsed: Double
    }

    /// How long an answer is fresh.
    ///
    /// - Parameter watchers: the number of questions about the station in the last minute, this one included.
    func freshness(watchers: Int, usage: Usage) -> Double {
        let few = Double(Self.manyWatchers - min(max(watchers, 1), Self.manyWatchers)) / Double(Self.manyWatchers - 1)
        let wanted = freshness * (1 + few)
        guard Double(usage.calls) > Double(dailyCalls) * (usage.elapsed + Self.reserve) else { return wanted }
        // What is left of the quota is spread over what is left of the day.
        let pace = 86_400 * (1 - usage.elapsed) / Double(max(1, dailyCalls - usage.calls))
        return min(max(wanted, pace), max(wanted, staleness))
    }

    /// The pause after a number of failures in a row; nil for none.
    func pause(afterFailures count: Int) -> Double? {
        guard count >= failureLimit else { return nil }
        return min(Double(1 << min(count - failureLimit, 16)), longestPause)
    }
}
