/// Rewards, prices and durations.
struct SeatPolicy: Sendable {
    /// `SEAT_REWARD`: credit for registering one's seat.
    var reward: Int64 = 300
    /// `SEAT_DAILY_REWARDS`: rewards of a passenger and service day, more than the trains of two long commutes.
    var dailyRewards = 8
    /// `SEAT_CLAW_BACK`: seconds in which a release returns the reward.
    var clawBackSeconds: Double = 300
    /// `SEAT_UNLOCK_PRICE`: credit for seeing the seat map.
    var unlockPrice: Int64 = 10
    /// `SEAT_REQUEST_TIME`: seconds after which a pending request expires.
    var requestSeconds: Double = 180
    /// `SEAT_LEASE`: seconds of a lease without a journey, in a train without a known terminal.
    var leaseSeconds: Double = 3600
    /// Seconds that a socket has for the delivery before a push notification is sent.
    var alertDelay: Double = 2
}
