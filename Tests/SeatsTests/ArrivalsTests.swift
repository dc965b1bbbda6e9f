import FoundationEssentials
import Postgres
import Subway
import Synchronization
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ArrivalsTests {
    /// A stub of the arrivals service that records its calls and can be unavailable.
    private final class Service: Sendable {
        private let state = Mutex((calls: [String](), isAway: false))

        var calls: [String] { state.withLock { $0.calls } }

        func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

        func fetch(_ name: String) async throws -> [Arrival] {
            let (number, isAway) = state.withLock { state in
                state.calls.append(name)
                return (state.calls.count, state.isAway)
            }
            for _ in 0..<100 { await Task.yield() }
            if isAway { throw ArrivalsUnavailable() }
            return [.fixture(train: "\(number)")]
        }
    }

    private let map: LineMap

    init() throws { map = LineMap(try StationData.stations()) }

    private var database: PostgresClient { TestDatabase.current.client }

    /// A copy of the service.
    private func copy(_ service: Service, _ adjust: (inout ArrivalsPolicy) -> Void = { _ in }) -> Arrivals {
        var policy = ArrivalsPolicy()
        adjust(&policy)
        return Arrivals(database: database, policy: policy, fetch: service.fetch)
    }

    private func station(_ name: String, _ line: Line) throws -> Station {
        try #require(map.station(named: name, on: line))
    }

    @Test func concurrentRequestsOfCopies_shareOneCall() async throws {
        let service = Service()
        let copies = [copy(service), copy(service), copy(service)]
        let station = try station("이수", .line7)
        let answers = try await withThrowingTaskGroup(of: [Arrival].self) { group in
            for number in 0..<90 { group.addTask { try await copies[number % 3].at(station) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == answers[0] })
        // 이수 and 총신대입구 are one station to the service.
        for copy in copies { _ = try await copy.at(self.station("총신대입구", .line4)) }
        #expect(service.calls == ["총신대입구(이수)"])
    }

    @Test func storedAnswer_equalsFetchedOne() async throws {
        let service = Service()
        let station = try station("강남", .line2)
        let fetched = try await copy(service).at(station)
        #expect(try await copy(service).at(station) == fetched)
        #expect(service.calls.count == 1)
    }

    @Test func staleAnswer_isFetchedAgain() async throws {
        let service = Service()
        let arrivals = copy(service) { $0.freshness = 0 }
        let station = try station("강남", .line2)
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["1"])
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["2"])
    }

    @Test func lastAnswer_isUsedDuringOutage() async throws {
        let service = Service()
        let arrivals = copy(service) { $0.freshness = 0 }
        let station = try station("강남", .line2)
        _ = try await arrivals.at(station)
        service.setAway(true)
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["1"])
        let other = try self.station("역삼", .line2)
        await #expect(throws: ArrivalsUnavailable.self) { try await arrivals.at(other) }
        service.setAway(false)
        #expect(try await arrivals.at(other).map(\.trainNumber) == ["4"])
    }

    @Test func lastAnswer_expires() async throws {
        let service = Service()
        let arrivals = copy(service) {
            $0.freshness = 0
            $0.staleness = 0
        }
        let station = try station("강남", .line2)
        _ = try await arrivals.at(station)
        service.setAway(true)
        await #expect(throws: ArrivalsUnavailable.self) { try await arrivals.at(station) }
    }

    @Test func cancelledRequest_doesNotCancelSharedCall() async throws {
        let service = Service()
        let arrivals = copy(service)
        let station = try station("강남", .line2)
        let first = Task { try await arrivals.at(station) }
        let second = Task { try await arrivals.at(station) }
        first.cancel()
        #expect(try await second.value.map(\.trainNumber) == ["1"])
    }

    /// A copy asks and ends; another one asks when its time is over, and until then uses the last answer.
    @Test func stationOfDeadCopy_isAskedAgain() async throws {
        let service = Service()
        let arrivals = copy(service) { $0.freshness = 0 }
        let station = try station("강남", .line2)
        _ = try await arrivals.at(station)
        let store = ArrivalsStore()
        #expect(try await store.take("강남", for: 60, freshness: 0, in: database))
        #expect(try await !store.take("강남", for: 60, freshness: 0, in: database))
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["1"])
        try await database.execute("UPDATE arrivals SET asked_until = now()")
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["2"])
    }

    @Test func copies_shareDailyQuota() async throws {
        let service = Service()
        let copies = [copy(service) { $0.dailyCalls = 3 }, copy(service) { $0.dailyCalls = 3 }]
        let stations = try ["강남", "역삼", "선릉", "삼성"].map { try station($0, .line2) }
        for (number, station) in stations.prefix(3).enumerated() { _ = try await copies[number % 2].at(station) }
        for copy in copies {
            await #expect(throws: ArrivalsUnavailable.self) { try await copy.at(stations[3]) }
            #expect(try await copy.at(stations[0]).map(\.trainNumber) == ["1"])
        }
        #expect(service.calls.count == 3)
        try await database.execute("UPDATE arrival_calls SET day = day - 1")
        #expect(try await copies[0].at(stations[3]).map(\.trainNumber) == ["4"])
    }

    /// Extends the pause after failures, so that a slow test does not outlast it.
    static func lengthenPause() async throws {
        let changed = try await TestDatabase.current.client.execute(
            "UPDATE arrival_calls SET retry_at = now() + interval '1 minute' WHERE retry_at > '-infinity'"
        )
        #expect(changed == 1)
    }

    /// Of many copies one sees whether the API answers again.
    @Test func outage_pausesCallsOfAllCopies() async throws {
        let service = Service()
        let copies = (0..<4).map { _ in copy(service) }
        let stations = try ["강남", "역삼", "선릉", "삼성"].map { try station($0, .line2) }
        service.setAway(true)
        func ask() async -> [Bool] {
            await withTaskGroup(of: Bool.self) { group in
                for (copy, station) in zip(copies, stations) {
                    group.addTask { (try? await copy.at(station)) != nil }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        for copy in copies.prefix(3) {
            await #expect(throws: ArrivalsUnavailable.self) { try await copy.at(stations[0]) }
        }
        try await Self.lengthenPause()
        #expect(await ask() == [false, false, false, false])
        #expect(service.calls.count == 3)
        try await database.execute("UPDATE arrival_calls SET retry_at = now()")
        #expect(await ask() == [false, false, false, false])
        #expect(service.calls.count == 4)
        service.setAway(false)
        try await database.execute("UPDATE arrival_calls SET retry_at = now()")
        #expect(await ask().contains(true))
        #expect(await ask() == [true, true, true, true])
    }
}

@Suite struct ArrivalsPolicyTests {
    private let policy = ArrivalsPolicy()

    @Test func freshness_growsWithWatchers() {
        let noon = ArrivalsPolicy.Usage(calls: 100, elapsed: 0.5)
        #expect([0, 1, 3, 5, 500].map { policy.freshness(watchers: $0, usage: noon) } == [20, 20, 15, 10, 10])
    }

    /// What is left of the quota lasts for the day.
    @Test func freshness_savesScarceCalls() {
        func freshness(_ calls: Int, _ elapsed: Double) -> Double {
            policy.freshness(watchers: 5, usage: ArrivalsPolicy.Usage(calls: calls, elapsed: elapsed))
        }
        #expect(freshness(700, 0.5) == 10)
        #expect(freshness(800, 0.75) == 10)
        #expect(freshness(400, 0.1) == 120)
        #expect(freshness(999, 0.5) == 120)
        #expect(freshness(1000, 0.999) == 10)
    }

    @Test func pauses_doubleUpToAMinute() {
        #expect((0...11).map { policy.pause(afterFailures: $0) } == [nil, nil, nil, 1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(policy.pause(afterFailures: .max) == 60)
    }
}

extension Arrival {
    /// A train of line 2, outer track, two minutes away.
    static func fixture(
        line: Line = .line2,
        train: String = "2234",
        direction: Direction = .down,
        orderKey: String = "11002성수0",
        code: Int = 99,
        seconds: Int = 120,
        message: String = "2분 후 (서초)",
        terminal: String = "성수",
        receivedAt: Date = Date(timeIntervalSince1970: 1_763_700_000)
    ) -> Arrival {
        Arrival(
            line: line,
            trainNumber: train,
            direction: direction,
            orderKey: orderKey,
            code: code,
            announcedSeconds: seconds,
            message: message,
            terminal: terminal,
            receivedAt: receivedAt
        )
    }
}
