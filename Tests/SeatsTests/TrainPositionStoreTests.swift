import FoundationEssentials
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct TrainPositionStoreTests {
    private let map: LineMap
    private let stations: [Station]
    private let store: TrainPositionStore
    /// The time in whole seconds, because PostgreSQL stores microseconds.
    private let now = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded())

    init() throws {
        stations = try StationData.stations()
        map = LineMap(stations)
        store = TrainPositionStore(map: map)
    }

    private var database: PostgresClient { TestDatabase.current.client }

    private func load() async throws { try await StationStore(database: database).load(stations) }

    private func entry(
        _ train: String,
        line: Line = .line2,
        at station: StationID = 32,
        in seconds: Int = 100,
        terminal: String = "을지로입구",
        terminalID: StationID? = 12,
        age: Double = 0
    ) -> TrainPositionStore.Entry {
        TrainPositionStore.Entry(
            arrival: .fixture(line: line, train: train, terminal: terminal, receivedAt: now - age),
            station: station,
            seconds: seconds,
            terminal: terminalID
        )
    }

    @Test func sighting_hasTerminalAndArrival() async throws {
        try await load()
        try await store.save([entry("2234")], in: database)
        let found = try await store.sighting(of: "2234", in: database)
        #expect(found == TrainPosition(terminalName: "을지로입구", arrivalAtTerminal: now + 100 + 1650))
        #expect(try await store.sighting(of: "2235", in: database) == nil)
        #expect(try await store.sighting(of: "2234", line: .line3, in: database) == nil)
    }

    @Test func terminalBeyondMap_keepsName() async throws {
        try await load()
        let beyond = entry("7001", line: .line7, at: 259, terminal: "석남", terminalID: nil)
        try await store.save([beyond], in: database)
        let found = try await store.sighting(of: "7001", in: database)
        #expect(found == TrainPosition(terminalName: "석남", arrivalAtTerminal: now + 100 + 140))
    }

    @Test func save_keepsNewestSightingOfTrain() async throws {
        try await load()
        let twice = [entry("2234", in: 30), entry("2234", in: 40)]
        try await store.save([entry("2234", at: 33, in: 10, age: 60)], in: database)
        try await store.save(twice, in: database)
        try await store.save([entry("2234", at: 34, in: 10, age: 90)], in: database)
        let rows = try await database.all("SELECT station_id, seconds FROM sightings") {
            try $0.decode(Int64.self, Int.self)
        }
        #expect(rows.map(\.0) == [32])
        #expect(rows.map(\.1) == [40])
    }

    @Test func sightings_areSeparatePerLine() async throws {
        try await load()
        let other = entry("5670", line: .line5, at: 131, terminal: "방화", terminalID: 123, age: 30)
        try await store.save([other, entry("5670", at: 44, terminal: "까치산", terminalID: 62)], in: database)
        #expect(try await store.sighting(of: "5670", in: database)?.terminalName == "까치산")
        #expect(try await store.sighting(of: "5670", line: .line5, in: database)?.terminalName == "방화")
    }

    @Test func sighting_endsWithServiceDay() async throws {
        try await load()
        try await store.save([entry("2234"), entry("2236")], in: database)
        try await database.execute(
            "UPDATE sightings SET service_date = service_date - CASE train_code WHEN '2234' THEN 1 ELSE 2 END"
        )
        #expect(try await store.sighting(of: "2234", in: database) == nil)
        #expect(try await RetentionStore().deleteSightings(limit: 10, in: database) == 1)
        let left = try await database.all("SELECT train_code FROM sightings") { try $0.decode(String.self) }
        #expect(left == ["2234"])
    }

    @Test func concurrentSaves_doNotDeadlock() async throws {
        try await load()
        let trains = (0..<60).map { entry("\(2000 + $0)") }
        try await withThrowingTaskGroup { [store, database] group in
            for _ in 0..<16 { group.addTask { try await store.save(trains.shuffled(), in: database) } }
            try await group.waitForAll()
        }
        let count = try await database.one("SELECT count(*) FROM sightings") { try $0.decode(Int.self) }
        #expect(count == 60)
    }

    @Test func serviceDay_beginsAtFourInSeoul() async throws {
        let days = try await database.one("SELECT service_date(), now()") { try $0.decode(Date.self, Date.self) }
        let korean = days.1.timeIntervalSince1970 + 5 * 3600
        #expect(days.0.timeIntervalSince1970 == (korean / 86_400).rounded(.down) * 86_400)
    }
}
