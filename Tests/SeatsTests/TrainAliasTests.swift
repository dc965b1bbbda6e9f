import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Sockets
import Subway
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct TrainAliasTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private let store = TrainAliasStore()

    /// Announces trains, as one copy of the service does with an arrivals answer.
    private func announce(_ codes: [String]) async throws {
        try await database.transaction { transaction in
            try await TrainStore().sight(codes.sorted(), in: transaction)
            try await store.assign(to: codes.sorted(), in: transaction)
        }
    }

    private func aliases(of codes: [String]) async throws -> [String: String] {
        try await store.aliases(of: codes, in: database)
    }

    @Test func concurrentAnnouncements_giveOneAliasPerTrain() async throws {
        let codes = (2000..<2200).map(String.init)
        try await withThrowingTaskGroup { group in
            for start in 0..<16 {
                let part = codes[(start * 10)..<(start * 10 + 50)]
                group.addTask { try await announce(part.shuffled()) }
            }
            try await group.waitForAll()
        }
        let aliases = try await aliases(of: codes)
        #expect(aliases.count == 200)
        #expect(Set(aliases.values).count == 200)
        #expect(aliases.values.allSatisfy { $0.utf8.count == 3 && Int($0) != nil })
        try await announce(codes)
        #expect(try await self.aliases(of: codes) == aliases)
        for (code, alias) in aliases { #expect(try await store.train(of: alias, in: database) == code) }
    }

    /// A thousand and one trains.
    @Test func moreTrainsThanAliases_leaveOneWithout() async throws {
        let codes = (5000...6000).map(String.init)
        try await announce(codes)
        #expect(try await aliases(of: codes).count == 1000)
        try await announce(codes)
        #expect(try await aliases(of: codes).count == 1000)
    }

    @Test func aliasOfTrainThatNoLongerRuns_isFreed() async throws {
        try await StationStore(database: database).load(try StationData.stations())
        try await announce(["2234", "2236", "2300"])
        _ = try await JourneyStore().insert(
            account: 1,
            start: 32,
            end: 35,
            train: try TrainCode(parsing: "2236"),
            expectedArrival: .now + 300,
            nextCheck: .now + 300,
            in: database
        )
        try await database.execute(
            "UPDATE trains SET sighted_at = now() - interval '61 minutes' WHERE code <> '2300'"
        )
        let before = try await aliases(of: ["2234", "2236", "2300"])
        #expect(try await store.free(limit: 10, in: database) == 1)
        #expect(try await aliases(of: ["2234", "2236", "2300"]).keys.sorted() == ["2236", "2300"])
        // A freed alias is the last to be taken again.
        try await announce(["2400"])
        #expect(try await aliases(of: ["2400"])["2400"] != before["2234"])
    }

    /// A code of three digits is never another train's alias.
    @Test func codeOfThreeDigits_isNoAlias() async throws {
        try await announce(["2234"])
        let alias = try #require(try await aliases(of: ["2234"])["2234"])
        try await announce([alias])
        #expect(try await TrainAliases(database: database).train(parsing: alias).text == alias)
        try await announce(["2234"])
        let other = try #require(try await aliases(of: ["2234"])["2234"])
        #expect(other != alias)
        let codes = (3000..<4000).map(String.init)
        try await announce(codes)
        #expect(try await !aliases(of: codes).values.contains(alias))
    }

    @Test(.fixture(LiveSeatsWorld.test)) func alias_isTakenForTrain() async throws {
        let world = LiveSeatsWorld.current
        try await announce(SeatsWorld.trains)
        let alias = try #require(try await aliases(of: ["2234"])["2234"])
        let journey = try await world.seats.start(1, train: alias).pathHistoryId
        #expect(try await SeatsDomain.current.journeys.path(journey, account: 1).train?.text == "2234")
        let groups = try await world.seats.car(train: alias)
        #expect(groups.allSatisfy { $0.trainCode == "2234" })
        let seat = groups[0].seatStatus[0].seatId
        let client = try await world.connect(1)
        var cars = try await client.subscribe("/topic/seat.\(alias)").makeAsyncIterator()
        _ = try await cars.next()
        #expect(try await world.seats.occupy(seat, 1) == "201")
        let shown = try #require(try await cars.next())
        #expect(shown.headers["destination"] == "/topic/seat.\(alias)")
        #expect(String(buffer: shown.body).contains(#""userId":1"#))
        let status = #"{"trainCode":"\#(alias)"}"#
        let phone = world.seats.client(1)
        #expect(try await phone.send(.post, "/user/status", json: status).status == .created)
        #expect(try await phone.send(.get, "/user/status").text.contains(#""trainCode":"2234""#))
    }

    /// Two copies of the service show the same aliases.
    @Test(.arrivals) func orderKeys_carryAliases() async throws {
        struct TrainBody: Decodable {
            var btrainNo: String
            var ordkey: String
        }
        let world = ArrivalsWorld.current
        let path = "/trains/incomings?lineNumber=2&dep=\("강남".encoded)&dest=\("시청".encoded)"
        let trains = try await world.phone.send(.get, path).json([TrainBody].self)
        #expect(!trains.isEmpty)
        let aliases = try await aliases(of: trains.map(\.btrainNo))
        for train in trains {
            #expect(train.ordkey.dropFirst(2).prefix(3) == aliases[train.btrainNo] ?? "")
            #expect(train.ordkey.prefix(5).allSatisfy { $0.isNumber })
            #expect(train.ordkey.dropFirst(5).contains { !$0.isNumber })
        }
        #expect(Set(trains.map { $0.ordkey.dropFirst(2).prefix(3) }).count == trains.count)
    }
}
