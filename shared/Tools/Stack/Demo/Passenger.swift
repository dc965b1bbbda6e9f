import StackKit

/// A user of SeatCatcher, and the actions of the app on each of its screens: REST first, SUBSCRIBE after.
struct Passenger {
    let phone: Phone
    let id: Int64
    private let name: String

    /// A ride on one line, and its train.
    struct Ride {
        var train: String
        var start: Int64
        var end: Int64
        let car = "2429"

        var topic: String { "/topic/seat.\(train)" }
    }

    /// Signs a new user in and connects.
    init(_ phone: Phone, name: String) async throws {
        self.phone = phone
        self.name = name
        let kakao = try await phone.outside(
            "The person allows the sign-in at Kakao.",
            .post,
            "/_control/kakao/tokens",
            body: ["id": .integer(.random(in: 10_000_000...4_000_000_000))]
        )
        let tokens = try await phone.send(
            "The app hands Kakao's token over and gets its own.",
            .post,
            "/user/authenticate/kakao",
            body: ["accessToken": .string(try kakao.text("access_token")), "fcmToken": ""],
            expecting: 201
        )
        await phone.keep("Authorization", "Bearer \(try tokens.text("accessToken"))")
        let me = try await phone.send(
            "The person chooses a name and a picture.",
            .patch,
            "/user/me",
            body: ["name": .string(name), "profileImageNum": "IMAGE_2", "tags": [], "hasOnBoarded": true]
        )
        id = try me.number("userId")
        try await phone.connect("The app opens its socket.")
    }

    // MARK: Screens

    func chooseTrain() async throws -> Ride {
        var stops: [Int64] = []
        for station in ["강남", "방배"] {
            let found = try await phone.send(
                "The person types \(station) into the station search.",
                .get,
                "/stations?keyword=\(station)&line=2&order=up"
            )
            guard let stop = found[0]?["id"]?.integer else { throw StackError("the search found no \(station)") }
            stops.append(stop)
        }
        let trains = try await phone.send(
            "Which trains come?",
            .get,
            "/trains/incomings?dep=강남&dest=방배&lineNumber=2"
        )
        guard let train = trains[0] else { throw StackError("no train comes") }
        return Ride(train: try train.text("btrainNo"), start: stops[0], end: stops[1])
    }

    /// - Returns: The car as shown on the screen.
    func board(_ ride: Ride) async throws -> JSON {
        let journey = try await phone.send(
            "The person takes train \(ride.train).",
            .post,
            "/path-histories/start-journey",
            body: [
                "startStationId": .integer(ride.start), "endStationId": .integer(ride.end),
                "trainCode": .string(ride.train),
            ],
            expecting: 201
        )
        let path = "/topic/path-histories.\(try journey.number("pathHistoryId"))"
        try await phone.subscribe(path)
        try await phone.hear("The app shows when it arrives.", on: path) { $0["arrived"] == false }
        try await phone.send(
            "The person types the number on the car's door.",
            .get,
            "/trains?carCode=\(ride.car)&trainCode=\(ride.train)"
        )
        try await phone.subscribe(ride.topic)
        return try await phone.hear("The screen shows the car.", on: ride.topic, showing: Self.words) { _ in true }
    }

    /// Takes the first free seat from an index on.
    ///
    /// - Returns: The seat.
    @discardableResult
    func sit(_ story: String, in car: JSON, from place: Int) async throws -> Int64 {
        let seats = car.elements.flatMap { $0["seatStatus"]?.elements ?? [] }
        let free = seats.dropFirst(place).first { $0["occupant"] == .null }
        guard let seat = free?["seatId"]?.integer else { throw StackError("there is no free seat") }
        try await phone.send(story, .post, "/user/seats?creditAmount=10&seatId=\(seat)", expecting: 201)
        try await phone.subscribe("/topic/seat.\(seat).owner")
        return seat
    }

    /// Waits until the screen shows a passenger on a seat, or a free seat.
    @discardableResult
    func sees(_ story: String, _ seat: Int64, on ride: Ride, is other: Passenger?) async throws -> JSON {
        try await phone.hear(story, on: ride.topic, showing: Self.words) { car in
            let seats = car.elements.flatMap { $0["seatStatus"]?.elements ?? [] }
            return seats.contains { $0["seatId"]?.integer == seat && $0["occupant"]?["userId"]?.integer == other?.id }
        }
    }

    /// A car in one line.
    private static func words(_ car: JSON) -> String {
        let seats = car.elements.flatMap { $0["seatStatus"]?.elements ?? [] }
        let taken = seats.compactMap { seat -> String? in
            guard let occupant = seat["occupant"], let name = occupant["nickname"]?.string else { return nil }
            return "seat \(seat["seatId"]?.integer ?? 0): \(name), to \(occupant["getOffStationName"]?.string ?? "?")"
        }
        return "car \(car[0]?["carCode"]?.string ?? "?"), \(seats.count - taken.count) of \(seats.count) free"
            + taken.map { "; \($0)" }.joined()
    }

    // MARK: Seat exchange

    func ask(_ seat: Int64, _ amount: Int64) async throws {
        try await phone.send(
            "The person offers \(amount) for A's seat.",
            .post,
            "/user/seats/\(seat)/yield?creditAmount=\(amount)&type=REQUEST"
        )
        try await phone.subscribe("/topic/seat.\(seat).requester.\(id)")
    }

    func isAsked(_ seat: Int64, by other: Passenger) async throws {
        try await phone.hear("A sheet comes up.", on: "/topic/seat.\(seat).owner") {
            $0["requestUserId"]?.integer == other.id && $0["creditAmount"] != nil
        }
    }

    func accept(_ seat: Int64, of other: Passenger) async throws {
        try await phone.send(
            "The person agrees.",
            .post,
            "/user/seats/\(seat)/yield?oppositeUserId=\(other.id)&type=ACCEPT"
        )
    }

    func isAccepted(_ seat: Int64, _ amount: Int64) async throws {
        let topic = "/topic/seat.\(seat).requester.\(id)"
        try await phone.hear("The answer is there.", on: topic) { $0["isAccepted"] == true }
        try await phone.send(
            "The app takes the seat over.",
            .patch,
            "/user/seats?creditAmount=\(amount)&seatId=\(seat)"
        )
        try await phone.unsubscribe(topic)
        try await phone.subscribe("/topic/seat.\(seat).owner")
    }

    func withdraw() async throws {
        try await phone.send("The person deletes the account.", .delete, "/user/me", expecting: 204)
        await phone.hangUp("The socket is closed.")
    }
}
