import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// SeatCatcher's unmodified client, signed in: REST first and SUBSCRIBE after, in the client's order (SeatCatcher
/// contract 9).
actor LivePhone {
    let platform: Platform
    let account: AccountID
    let tokens: TokenPair
    private(set) var socket: AppSocket
    private var topics: [String] = []
    private(set) var journey: Int64?

    /// - Parameter device: the FCM token; empty when the client has none.
    init(_ platform: Platform, kakao: Int, device: String = "") async throws {
        self.platform = platform
        tokens = try await platform.signIn(kakao: kakao, device: device)
        let me = try await platform.send(.GET, "/user/me", token: tokens.accessToken)
        account = try me.value(ProfileBody.self).userId
        socket = try await AppSocket(platform.gateway, token: tokens.accessToken)
    }

    // MARK: REST

    func send(_ method: HTTPMethod, _ path: String, json: String? = nil) async throws -> Wire.Answer {
        try await platform.send(method, path, token: tokens.accessToken, json: json)
    }

    /// Sends a request, and requires the given status.
    @discardableResult
    func send(
        _ method: HTTPMethod,
        _ path: String,
        json: String? = nil,
        _ status: Int,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> Wire.Answer {
        let answer = try await send(method, path, json: json)
        #expect(answer.status == status, "\(method) \(path): \(answer.body)", sourceLocation: location)
        return answer
    }

    var credit: Int64 {
        get async throws { try await send(.GET, "/user/me", 200).value(ProfileBody.self).credit }
    }

    func car(_ car: String, of train: String) async throws -> Car {
        try Car(try await send(.GET, "/trains?carCode=\(car)&trainCode=\(train)", 200).value([SectionBody].self))
    }

    // MARK: The client's steps

    /// Chooses stations and a train (step 2).
    func board(_ train: String, car: String = "2429", from start: Int64 = 32, to end: Int64 = 35) async throws {
        let body = #"{"startStationId":\#(start),"endStationId":\#(end),"trainCode":"\#(train)"}"#
        let started = try await send(.POST, "/path-histories/start-journey", json: body, 201).value(JourneyBody.self)
        #expect(!started.arrived)
        journey = started.pathHistoryId
        try await subscribe("/topic/path-histories.\(started.pathHistoryId)")
        try await look(train, car: car)
    }

    /// Opens the seats of a car.
    func look(_ train: String, car: String = "2429") async throws {
        _ = try await self.car(car, of: train)
        try await subscribe("/topic/seat.\(train)")
    }

    /// Step 3.
    func sit(_ seat: SeatID) async throws {
        try await send(.POST, "/user/seats?creditAmount=10&seatId=\(seat)", 201)
        try await subscribe("/topic/seat.\(seat).owner")
    }

    func leave(_ seat: SeatID) async throws {
        try await send(.DELETE, "/user/seats", 204)
        try await unsubscribe("/topic/seat.\(seat).owner")
    }

    /// Step 4.
    func unlock() async throws {
        try await send(.PATCH, "/credit?isAddition=0", json: #"{"amount":10,"targetUserId":\#(account)}"#, 200)
    }

    /// Step 5.
    func ask(_ seat: SeatID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&type=REQUEST")
        try await subscribe("/topic/seat.\(seat).requester.\(account)")
    }

    /// Step 6.
    func cancel(_ seat: SeatID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&type=CANCEL")
        try await unsubscribe("/topic/seat.\(seat).requester.\(account)")
    }

    func reject(_ seat: SeatID, of other: AccountID, _ amount: Int) async throws {
        try await yield(seat, "creditAmount=\(amount)&oppositeUserId=\(other)&type=REJECT")
    }

    func accept(_ seat: SeatID, of other: AccountID) async throws {
        try await yield(seat, "oppositeUserId=\(other)&type=ACCEPT")
    }

    func takeOver(_ seat: SeatID, _ amount: Int) async throws {
        try await send(.PATCH, "/user/seats?creditAmount=\(amount)&seatId=\(seat)", 200)
        try await unsubscribe("/topic/seat.\(seat).requester.\(account)")
        try await subscribe("/topic/seat.\(seat).owner")
    }

    func yield(_ seat: SeatID, _ query: String, _ status: Int = 200) async throws {
        try await send(.POST, "/user/seats/\(seat)/yield?\(query)", status)
    }

    // MARK: The socket

    func subscribe(_ topic: String) async throws {
        topics.removeAll { $0 == topic }
        topics.append(topic)
        try await socket.subscribe(topic)
    }

    func unsubscribe(_ topic: String) async throws {
        topics.removeAll { $0 == topic }
        try await socket.unsubscribe(topic)
    }

    /// Connects again as the client does: with the headers of the first connection, every 3 seconds until it succeeds.
    /// It then repeats its subscriptions without reading anything by REST.
    func reconnect() async throws {
        for _ in 0..<200 {
            guard let socket = try? await AppSocket(platform.gateway, token: tokens.accessToken) else {
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            self.socket = socket
            for topic in topics { try await socket.subscribe(topic) }
            return
        }
        Issue.record("the client could not connect again")
    }

    /// The next snapshot on a train's topic.
    func nextCar(_ train: String) async throws -> Car {
        try Car(try await socket.next("/topic/seat.\(train)", as: [SectionBody].self))
    }

    /// Reads snapshots until the seat has the given occupant, or none; returns all of them.
    @discardableResult
    func cars(_ train: String, until seat: SeatID, is occupant: AccountID?) async throws -> [Car] {
        var cars: [Car] = []
        repeat { cars.append(try await nextCar(train)) } while cars.last?.occupants[seat] != occupant
        return cars
    }

    func nextNotice(_ seat: SeatID) async throws -> OwnerBody {
        try await socket.next("/topic/seat.\(seat).owner")
    }

    func nextReply(_ seat: SeatID) async throws -> ReplyBody {
        try await socket.next("/topic/seat.\(seat).requester.\(account)")
    }

    /// Reads path events until one reports the end of the journey, or its continuation.
    func path(until arrived: Bool) async throws -> PathBody {
        var path: PathBody
        repeat {
            path = try await socket.next("/topic/path-histories.\(journey ?? 0)")
            #expect(path.expectedArrivalTime.utf8.count == 16, "the client drops an event without a time of this form")
        } while path.arrived != arrived
        return path
    }
}
