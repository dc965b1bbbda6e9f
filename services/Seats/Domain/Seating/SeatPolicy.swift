/// What sitting is worth, and how long things are held.
struct SeatPolicy: Sendable {
    /// `SEAT_REWARD`: credit for telling where one sits.
    var reward: Int64 = 300
    /// `SEAT_CLAW_BACK`: who leaves within so many seconds gives the reward back.
    var clawBackSeconds: Double = 300
    /// `SEAT_UNLOCK_PRICE`: credit for seeing who sits where.
    var unlockPrice: Int64 = 10
    /// `SEAT_REQUEST_TIME`: seconds after which an open request ends.
    var requestSeconds: Double = 180
    /// `SEAT_LEASE`: seconds for which a seat is held in a train whose terminal is not known, without a journey.
    var leaseSeconds: Double = 3600
    /// Seconds that a socket has to tell a passenger something before push does.
    var alertDelay: Double = 2
}
