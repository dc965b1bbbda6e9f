import AppClients
import Contracts

/// Two passengers board a train; the second asks for the seat of the first, and gets it.
struct SeatCatcherRide {
    let stage: Stage
    let a: Person
    let b: Person

    func play() async throws {
        let (start, end) = try await a.stops()
        let incoming = "dep=강남&dest=방배&lineNumber=2"
        let trains = try await a.ask("GET /trains/incomings", query: incoming)
        try await a.refused(
            "GET /trains/incomings",
            query: "dep=없음&dest=방배&lineNumber=2",
            with: 400,
            when: "unknown station"
        )
        guard let train = trains[0]?["btrainNo"]?.string else { throw ClientError("no train comes") }
        let (first, second) = (try await board(a), try await board(b))
        try await journey(train, start, end, first)

        let car = "carCode=\(SeatCatcherScenario.car)&trainCode=\(train)"
        let groups = try await a.ask("GET /trains", query: car)
        _ = try await b.look("/trains?\(car)")
        stage.compare(
            "GET /trains",
            groups.elements.count == 5,
            expected: "5 sections",
            came: "\(groups.elements.count)",
            as: "sections"
        )
        let seats = groups.elements.flatMap { $0["seatStatus"]?.elements ?? [] }.filter { $0["occupant"] == .null }
        guard let seat = seats.first?["seatId"]?.integer, let other = seats.last?["seatId"]?.integer, seat != other
        else {
            throw ClientError("the car has no two free seats")
        }
        try await sit(train, seat, other, first, second)
        try await exchange(train, seat, first, second)
        try await first.socket.disconnect()
        try await second.socket.disconnect()
        try await hello()
    }

    /// Opens a passenger's socket.
    private func board(_ person: Person) async throws -> SeatCatcherClient {
        let client = SeatCatcherClient(person.connection.gateway)
        client.connection.tokens = person.connection.tokens
        try await client.connect()
        try await client.profile()
        return client
    }

    private func journey(_ train: String, _ start: Int64, _ end: Int64, _ client: SeatCatcherClient) async throws {
        let call = "POST /path-histories/start-journey"
        let body: RequestBody = [
            "startStationId": .integer(start), "endStationId": .integer(end), "trainCode": .string(train),
        ]
        let journey = try await a.ask(call, body: body)
        try await b.ask(call, body: body)
        try await a.refused(call, body: [:], with: 400, when: "empty body")
        let unknown: RequestBody = [
            "startStationId": 999_999, "endStationId": .integer(end), "trainCode": .string(train),
        ]
        try await a.refused(call, body: unknown, with: 404, when: "unknown station")
        let topic = "/topic/path-histories.\(try journey.number("pathHistoryId"))"
        try await client.subscribe(topic)
        let state: JSON = try await client.socket.next(topic)
        stage.received("SUBSCRIBE /topic/path-histories.{pathHistoryId}", state.description.utf8)
    }

    private func sit(
        _ train: String,
        _ seat: Int64,
        _ other: Int64,
        _ first: SeatCatcherClient,
        _ second: SeatCatcherClient
    ) async throws {
        let topic = "/topic/seat.\(train)"
        for client in [first, second] { try await client.subscribe(topic) }
        try await a.ask("POST /user/seats", query: "creditAmount=10&seatId=\(seat)")
        try await a.refused("POST /user/seats", query: "seatId=\(other)", with: 409, when: "sits already")
        try await b.refused("POST /user/seats", query: "seatId=\(seat)", with: 409, when: "seat taken")
        try await b.refused("POST /user/seats", query: "seatId=999999999", with: 404, when: "unknown id")
        let occupied: JSON = try await second.socket.next(topic) { (car: JSON) in
            car.elements.flatMap { $0["seatStatus"]?.elements ?? [] }
                .contains { $0["seatId"]?.integer == seat && $0["occupant"] != .null }
        }
        stage.received("SUBSCRIBE /topic/seat.{trainCode}", occupied.description.utf8, as: "snapshot")
        let car = "carCode=\(SeatCatcherScenario.car)&trainCode=\(train)"
        try await b.ask("GET /trains", query: car, as: "with an occupant")
        try await b.refused("DELETE /user/seats", with: 409, when: "has no seat")
        // The reward for telling where one sits, of which the fee is paid.
        try await b.ask("POST /user/seats", query: "seatId=\(other)")
        let me = second.account
        try await b.ask(
            "PATCH /credit",
            query: "isAddition=0",
            body: ["amount": 10, "targetUserId": .integer(me.rawValue)]
        )
        let bad: RequestBody = ["amount": 0, "targetUserId": .integer(me.rawValue)]
        try await b.refused("PATCH /credit", query: "isAddition=0", body: bad, with: 400, when: "no amount")
    }

    private func exchange(
        _ train: String,
        _ seat: Int64,
        _ first: SeatCatcherClient,
        _ second: SeatCatcherClient
    ) async throws {
        let call = "POST /user/seats/{seatId}/yield"
        let (ownerTopic, replyTopic) = ("/topic/seat.\(seat).owner", "/topic/seat.\(seat).requester.\(second.account)")
        let owned = "SUBSCRIBE /topic/seat.{seatId}.owner"
        try await first.subscribe(ownerTopic)
        try await b.ask(call, seat, query: "creditAmount=10&type=REQUEST")
        try await second.subscribe(replyTopic)
        let request: JSON = try await first.socket.next(ownerTopic)
        stage.received(owned, request.description.utf8, case: "request", as: "request")
        try await b.ask(call, seat, query: "creditAmount=10&type=CANCEL")
        let cancel: JSON = try await first.socket.next(ownerTopic)
        stage.received(owned, cancel.description.utf8, case: "cancel", as: "cancel")
        try await b.refused(call, seat, query: "type=NOTHING", with: 400, when: "unknown type")
        try await b.refused(call, 999_999_999, query: "creditAmount=10&type=REQUEST", with: 404, when: "unknown id")

        try await b.ask(call, seat, query: "creditAmount=20&type=REQUEST")
        _ = try await first.socket.next(ownerTopic) as JSON
        try await a.ask(call, seat, query: "oppositeUserId=\(second.account)&type=ACCEPT")
        let reply: JSON = try await second.socket.next(replyTopic)
        stage.received("SUBSCRIBE /topic/seat.{seatId}.requester.{userId}", reply.description.utf8)
        try await b.ask("PATCH /user/seats", query: "creditAmount=20&seatId=\(seat)")
        try await a.refused("PATCH /user/seats", query: "seatId=999999999", with: 403, 404, when: "unknown id")
        try await b.ask("DELETE /user/seats")
    }

    /// The text that a connection sends to itself.
    private func hello() async throws {
        let client = try await board(a)
        let socket = try client.socket
        let topic = "/topic/hello"
        try await socket.subscribe(topic)
        let body = #"{"text":"hello"}"#
        try await socket.send("SEND\ndestination:/app/hello\ncontent-type:text/plain\n\n\(body)\0")
        let echo: JSON = try await socket.next(topic)
        for call in ["SUBSCRIBE \(topic)", "SEND /app/hello"] {
            stage.compare(call, echo["text"] == "hello", expected: body, came: echo.description, as: "echo")
        }
        try await socket.disconnect()
    }
}
