import Contracts
import FoundationEssentials
import HTTPTypes
import Postgres
import Synchronization
import TestKit
import Testing
import Values

@testable import Seats

/// Passengers who do whatever could make credit, in random order: what they get never exceeds the rewards of their stays in
/// announced trains.
@Suite(.timeLimit(.minutes(5))) struct CreditSequenceTests {
    private static func model(_ policy: SeatPolicy = SeatPolicy()) -> CreditModel {
        CreditModel(passengers: 3, trains: [0, 0, 1, 1, 2, 2, 3, 4], sighted: [0, 1, 2, 3], policy: policy)
    }

    @Test func randomSequences_grantOnlyJustifiedCredit() async throws {
        var random = SplitMix(state: 22)
        var policy = SeatPolicy()
        policy.dailyRewards = 2
        var granted = Set<Int64>()
        var debts = 0
        for sequence in 0..<100_000 {
            // Other tests run on the same threads.
            if sequence % 200 == 0 { await Task.yield() }
            var model = Self.model(policy)
            for number in 1...24 {
                let step = CreditStep.random(in: model, &random)
                model.apply(step)
                let isSound =
                    model.granted == Int64(model.claims.count) * policy.reward
                    && (number % 8 > 0 || model.granted <= model.justified)
                    && model.passengers.allSatisfy { $0.credit >= 0 && $0.debt >= 0 }
                guard isSound else {
                    Issue.record("sequence \(sequence), step \(number): \(step)")
                    return
                }
            }
            granted.insert(model.granted)
            debts += model.passengers.count { $0.debt > 0 }
        }
        // The sequences reach both what is granted and what is owed.
        #expect(granted.count > 4 && debts > 0)
    }

    /// The service does what the model does.
    @Test(.database(Migrations.all), .service(passengers: [1: "가", 2: "나", 3: "다"]), arguments: 1...4)
    func service_agreesWithModel(seed: UInt64) async throws {
        let world = try await CreditWorld()
        var model = Self.model()
        var random = SplitMix(state: seed)
        for number in 0..<700 {
            let step = CreditStep.random(in: model, &random)
            model.apply(step)
            try await world.apply(step)
            let state = try await world.state()
            try #require(state == CreditWorld.State(model), "step \(number): \(step)")
        }
        try await world.seats.checkLedger()
    }
}

/// The service, driven by steps of the model.
struct CreditWorld {
    let seats: SeatsWorld = .current
    private let ids: [SeatID]
    private let domain: SeatsDomain
    private let stopwatch = Stopwatch()
    private static let trains = ["2234", "2236", "2300", "2310", "FAKE1"]

    init() async throws {
        domain = try .current
        try await seats.sight(["2310"])
        var ids: [SeatID] = []
        for train in Self.trains.prefix(3) { ids += try await seats.seats(train: train).prefix(2) }
        for train in Self.trains.suffix(2) { ids += try await seats.seats(train: train).prefix(1) }
        self.ids = ids
    }

    private func account(_ passenger: Int) -> AccountID { AccountID(rawValue: Int64(passenger + 1)) }

    /// Measures the time since it was made, or read last.
    private final class Stopwatch: Sendable {
        private let last = Mutex(ContinuousClock.now)

        func lap() -> TimeInterval {
            let now = ContinuousClock.now
            return last.withLock { last in
                defer { last = now }
                return (now - last) / .seconds(1)
            }
        }
    }

    func apply(_ step: CreditStep) async throws {
        // In the model no time passes but by steps: what a busy machine takes for them would let requests expire.
        try await shift(by: -stopwatch.lap())
        switch step {
        case .sit(let passenger, let seat): _ = try await seats.occupy(ids[seat], account(passenger))
        case .leave(let passenger): _ = try await seats.release(account(passenger))
        case .start(let passenger, let train):
            _ = try await seats.start(account(passenger), train: Self.trains[train])
        case .end(let passenger):
            if let journey = try await JourneyStore().active(of: account(passenger), in: seats.database) {
                try await domain.journeys.end(journey, .arrived)
            }
        case .request(let passenger, let seat, let amount):
            _ = try await seats.request(ids[seat], by: account(passenger), amount)
        case .cancel(let passenger, let seat):
            _ = try await seats.yield(ids[seat], account(passenger), "type=CANCEL&creditAmount=1")
        case .accept(let owner, let seat, let requester):
            _ = try await seats.yield(ids[seat], account(owner), "type=ACCEPT&oppositeUserId=\(account(requester))")
        case .reject(let owner, let seat, let requester):
            _ = try await seats.yield(ids[seat], account(owner), "type=REJECT&oppositeUserId=\(account(requester))")
        case .unlock(let passenger):
            let body = #"{"amount":10,"targetUserId":\#(account(passenger))}"#
            _ = try await seats.client(account(passenger)).send(.patch, "/credit?isAddition=0", json: body)
        case .pass(let seconds): try await pass(seconds)
        case .endDay: try await endDay()
        }
    }

    private func pass(_ seconds: TimeInterval) async throws {
        try await shift(by: seconds)
        while try await domain.exchange.expireOverdue(limit: 10) > 0 {}
    }

    /// Lets time pass for seats and requests.
    private func shift(by seconds: TimeInterval) async throws {
        try await seats.database.execute("UPDATE occupancies SET since = since - make_interval(secs => \(seconds))")
        try await seats.database.execute(
            "UPDATE yield_requests SET expires_at = expires_at - make_interval(secs => \(seconds)) WHERE status = 'PENDING'"
        )
    }

    private func endDay() async throws {
        try await seats.database.transaction { transaction in
            for table in ["occupancies", "journeys"] {
                try await transaction.execute("UPDATE \(identifier: table) SET service_date = service_date - 1")
            }
            // By way of dates without rewards, since the date is a part of the key.
            try await transaction.execute("UPDATE rewards SET service_date = service_date - 1000")
            try await transaction.execute("UPDATE rewards SET service_date = service_date + 999")
        }
        _ = try await domain.tracker.checkDue(limit: 100)
        while try await domain.seating.sweepOverdue(limit: 10) > 0 {}
    }

    struct State: Equatable {
        /// Credit and debt by passenger.
        var balances: [[Int64]]
        /// The amounts of pending requests.
        var escrows: [Int64]
        var occupants: [Int?]
        var claims: Int
    }

    func state() async throws -> State {
        let balances = try await seats.database.all("SELECT credit, debt FROM passengers ORDER BY account_id") { row in
            let (credit, debt) = try row.decode(Int64.self, Int64.self)
            return [credit, debt]
        }
        let escrows = try await seats.database.all("SELECT amount FROM yield_requests WHERE status = 'PENDING'") {
            try $0.decode(Int64.self)
        }
        let seated = try await seats.database.all("SELECT seat_id, account_id FROM occupancies") {
            try $0.decode(SeatID.self, AccountID.self)
        }
        let occupants = Dictionary(uniqueKeysWithValues: seated)
        let claims = try await seats.database.one("SELECT count(*) FROM rewards WHERE clawed_back_at IS NULL") {
            try $0.decode(Int.self)
        }
        return State(
            balances: balances,
            escrows: escrows.sorted(),
            occupants: ids.map { occupants[$0].map { Int($0.rawValue) - 1 } },
            claims: claims
        )
    }
}

extension CreditWorld.State {
    init(_ model: CreditModel) {
        balances = model.passengers.map { [$0.credit, $0.debt] }
        escrows = model.requests.map(\.amount).sorted()
        occupants = model.occupancies.map { $0?.passenger }
        claims = model.claims.count
    }
}
