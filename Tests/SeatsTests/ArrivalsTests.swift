import FoundationEssentials
import Subway
import Synchronization
import Testing

@testable import Seats

@Suite(.timeLimit(.minutes(1))) struct ArrivalsTests {
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

    private func station(_ name: String, _ line: Line) throws -> Station {
        try #require(map.station(named: name, on: line))
    }

    @Test func concurrentRequests_shareOneCall() async throws {
        let service = Service()
        let arrivals = Arrivals(fetch: service.fetch)
        let station = try station("이수", .line7)
        let answers = try await withThrowingTaskGroup(of: [Arrival].self) { group in
            for _ in 0..<100 { group.addTask { try await arrivals.at(station) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == answers[0] })
        // 이수 and 총신대입구 are one station to the service.
        _ = try await arrivals.at(self.station("총신대입구", .line4))
        #expect(service.calls == ["총신대입구(이수)"])
    }

    @Test func staleAnswer_isFetchedAgain() async throws {
        let service = Service()
        let arrivals = Arrivals(freshness: .zero, fetch: service.fetch)
        let station = try station("강남", .line2)
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["1"])
        #expect(try await arrivals.at(station).map(\.trainNumber) == ["2"])
    }

    @Test func lastAnswer_isUsedDuringOutage() async throws {
        let service = Service()
        let arrivals = Arrivals(freshness: .zero, fetch: service.fetch)
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
        let arrivals = Arrivals(freshness: .zero, staleness: .zero, fetch: service.fetch)
        let station = try station("강남", .line2)
        _ = try await arrivals.at(station)
        service.setAway(true)
        await #expect(throws: ArrivalsUnavailable.self) { try await arrivals.at(station) }
    }

    @Test func cancelledRequest_doesNotCancelSharedCall() async throws {
        let service = Service()
        let arrivals = Arrivals(fetch: service.fetch)
        let station = try station("강남", .line2)
        let first = Task { try await arrivals.at(station) }
        let second = Task { try await arrivals.at(station) }
        first.cancel()
        #expect(try await second.value.map(\.trainNumber) == ["1"])
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
