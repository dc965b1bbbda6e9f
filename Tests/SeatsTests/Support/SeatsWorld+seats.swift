import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

/// A car as the client decodes it; all fields that the client requires are non-optional.
struct SeatGroupBody: Decodable, Equatable {
    var trainCode: String
    var carCode: String
    var seatGroupType: String
    var seatStatus: [SeatBody]

    struct SeatBody: Decodable, Equatable {
        var seatId: SeatID
        var seatLocation: Int
        var seatType: String
        var occupant: OccupantBody?
    }

    struct OccupantBody: Decodable, Equatable {
        var userId: AccountID
        var nickname: String
        var expectedArrivalTime: String
        var profileImageNum: String
        var getOffStationName: String
        var tags: [String]
    }
}

struct JourneyBody: Decodable {
    var pathHistoryId: JourneyID
    var expectedArrivalTime: String
    var nextScheduleTime: String
    var arrived: Bool
}

extension SeatsWorld {
    func car(_ account: AccountID = 1, train: String = "2234", car: String = "2429") async throws -> [SeatGroupBody] {
        let answer = try await client(account).send(.get, "/trains?carCode=\(car)&trainCode=\(train)")
        #expect(answer.status == .ok)
        return try answer.json()
    }

    /// The ids of a car's seats, in order.
    func seats(train: String = "2234", car code: String = "2429") async throws -> [SeatID] {
        try await car(train: train, car: code).flatMap(\.seatStatus).map(\.seatId)
    }

    /// The occupants of a car, by seat.
    func occupants(train: String = "2234", car code: String = "2429") async throws -> [SeatID: AccountID] {
        let seats = try await car(train: train, car: code).flatMap(\.seatStatus)
        return Dictionary(
            uniqueKeysWithValues: seats.compactMap { seat in seat.occupant.map { (seat.seatId, $0.userId) } }
        )
    }

    func occupy(_ seat: SeatID, _ account: AccountID) async throws -> String {
        try await client(account).send(.post, "/user/seats?creditAmount=10&seatId=\(seat)").summary
    }

    func release(_ account: AccountID) async throws -> String {
        try await client(account).send(.delete, "/user/seats").summary
    }

    func confirm(_ seat: SeatID, _ account: AccountID) async throws -> String {
        try await client(account).send(.patch, "/user/seats?creditAmount=300&seatId=\(seat)").summary
    }

    func yield(_ seat: SeatID, _ account: AccountID, _ query: String) async throws -> String {
        try await client(account).send(.post, "/user/seats/\(seat)/yield?\(query)").summary
    }

    func request(_ seat: SeatID, by account: AccountID, _ amount: Int64) async throws -> String {
        try await yield(seat, account, "creditAmount=\(amount)&type=REQUEST")
    }

    func start(
        _ account: AccountID,
        from start: StationID = 32,
        to end: StationID = 40,
        train: String = "2234"
    ) async throws -> JourneyBody {
        let body = #"{"startStationId":\#(start),"endStationId":\#(end),"trainCode":"\#(train)"}"#
        let answer = try await client(account).send(.post, "/path-histories/start-journey", json: body)
        #expect(answer.status == .created, "\(answer.text)")
        return try answer.json()
    }

    func credit(_ account: AccountID) async throws -> Int64 {
        try await database.one("SELECT credit FROM passengers WHERE account_id = \(account)") {
            try $0.decode(Int64.self)
        }
    }

    /// Gives credit as a reward, through the ledger.
    func pay(_ account: AccountID, _ amount: Int64) async throws {
        try await database.transaction { try await LedgerStore().move(.reward, amount, passenger: account, in: $0) }
    }

    func checkLedger() async throws { try await LedgerAudit.check(database) }

    /// The messages on a topic, oldest first.
    func messages(_ topic: LiveTopic) async throws -> [StoredMessage] {
        try await LiveStore().messages(after: [(topic.name, .zero)], limit: 1000, in: database)
    }

    func replies(_ seat: SeatID, to account: AccountID) async throws -> [Bool] {
        try await messages(.requester(seat: seat, account: account)).map {
            try JSONDecoder().decode(YieldReply.self, from: Data($0.body.utf8)).isAccepted
        }
    }

    /// The amounts of the requests that a seat's owner received; nil for a cancellation.
    func notices(_ seat: SeatID, to account: AccountID) async throws -> [Int64?] {
        try await messages(.owner(seat: seat, account: account)).map {
            try JSONDecoder().decode(OwnerMessage.self, from: Data($0.body.utf8)).amount
        }
    }
}

extension SeatsDomain {
    /// The domain on the current test's database.
    static var current: SeatsDomain {
        get throws {
            SeatsDomain(
                SeatsConfiguration(database: TestDatabase.current.configuration),
                database: TestDatabase.current.client,
                stations: try StationData.stations(),
                logger: .quiet
            )
        }
    }
}

/// Running times from the map of the lines.
enum LineMapSeconds {
    static func between(_ start: StationID, _ end: StationID) throws -> Int {
        try #require(LineMap(try StationData.stations()).route(from: start, to: end)).seconds
    }
}
