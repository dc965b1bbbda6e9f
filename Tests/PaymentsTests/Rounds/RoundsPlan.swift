import Contracts
import FoundationEssentials
import TestKit

/// The size of the test: small by default, 10,000 rounds with `PAYMENTS_ROUNDS_FULL=1`.
struct RoundsPlan: Sendable {
    var rounds = 250
    /// The number of concurrent rounds.
    var atOnce = 48
    /// Milliseconds between two kills.
    var pause = 1800..<3200
    /// The limit for pending work to finish after the last failure.
    var timeout = Duration.seconds(120)
    /// `PAYMENTS_ROUNDS_SEED`.
    var seed: UInt64 = 86

    static var current: RoundsPlan {
        let environment = ProcessInfo.processInfo.environment
        var plan = RoundsPlan()
        if environment["PAYMENTS_ROUNDS_FULL"] == "1" {
            (plan.rounds, plan.atOnce, plan.pause) = (10_000, 96, 4000..<8000)
            plan.timeout = .seconds(600)
        }
        if let seed = environment["PAYMENTS_ROUNDS_SEED"].flatMap({ UInt64($0) }) { plan.seed = seed }
        return plan
    }

    /// Accounts per app.
    static let people = 64

    /// The accounts of an app.
    static func accounts(of app: App) -> ClosedRange<AccountID> {
        let first: AccountID = app == .anlaka ? 1 : 1001
        return first...first.advanced(by: Int64(people) - 1)
    }

    /// Seconds for which an order is held, and for which a payment may be claimed.
    static let hold = 5
}

/// The goods: a listing and a post for every round, whose prices follow from their ids.
enum RoundGoods {
    static func listing(_ round: Int) -> String { id("5", round) }
    static func post(_ round: Int) -> String { id("6", round) }

    /// Won.
    static func price(of id: String) -> Int64 { 1000 + Int64(Int(id.suffix(6), radix: 16) ?? 0) * 10 }

    private static func id(_ first: String, _ round: Int) -> String {
        let digits = String(round, radix: 16)
        return first + String(repeating: "0", count: 23 - digits.count) + digits
    }

    /// A listing as estate returns it.
    static func details(_ id: String) -> EstateAPI.Listing {
        let at = Date(timeIntervalSince1970: 1_700_000_000)
        return EstateAPI.Listing(
            id: "\(id)",
            category: "원룸",
            title: "햇살이 드는 방",
            introduction: "역에서 5분",
            thumbnails: [],
            reservationPrice: price(of: id),
            deposit: 10_000_000,
            monthlyRent: 550_000,
            builtYear: "2018-05-01",
            area: 24.5,
            floors: 3,
            latitude: 37.65,
            longitude: 127.04,
            creator: EstateAPI.Creator(account: 900, publicID: "\(Self.id("9", 900))"),
            isReserved: false,
            createdAt: at,
            updatedAt: at
        )
    }
}
