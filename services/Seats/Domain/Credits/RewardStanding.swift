import FoundationEssentials

/// What decides whether a passenger is rewarded for a seat in a train (SeatCatcher contract 4.6).
struct RewardStanding: Sendable, Equatable {
    /// Whether the arrivals have announced the train on this service day.
    var isSighted: Bool
    /// Whether the passenger has the train's reward of this service day: it was paid, and not taken back.
    var hasReward: Bool
    /// The number of the passenger's rewards of this service day, without those that were taken back.
    var rewardsToday: Int
}

extension SeatPolicy {
    /// The reward for registering a seat; 0 for none.
    func reward(_ standing: RewardStanding) -> Int64 {
        standing.isSighted && !standing.hasReward && standing.rewardsToday < dailyRewards ? reward : 0
    }

    /// The part of a seat's reward that is taken back when the seat is left.
    func clawBack(of reward: Int64, since start: Date, now: Date) -> Int64 {
        now.timeIntervalSince(start) < clawBackSeconds ? reward : 0
    }
}
