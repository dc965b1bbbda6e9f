import AppClients
import Apps
import Contracts
import FoundationEssentials
import StackKit

extension Scenario {
    /// The subway app: two passengers on one train; the second takes over the seat of the first.
    static let seatcatcher = Scenario(
        name: "seatcatcher",
        title: "SeatCatcher: A sits, B wants the seat, and both phones see everything as it happens"
    ) { programs in
        let a = try await passenger("A", nickname: "하늘을 나는 고래", programs)
        let b = try await passenger("B", nickname: "빛나는 돌고래", programs)
        let ride = try await chooseTrain(a)
        let empty = try await board(a, ride)
        _ = try await board(b, ride)

        let seat = try freeSeat(of: empty, from: 6)
        try await a.step("The person sits down, and is paid 300 for telling so.").sit(seat)
        let car = try await b.step("The screen shows who has sat down.").cars(ride.train, until: seat, is: a.account)
        try await b.step("The person finds a seat at the other end of the car, and is paid as well.")
            .sit(freeSeat(of: car.last ?? empty, from: 40))
        try await b.step("The person pays to see who sits where.").unlock()

        try await b.step("The person offers 250 for A's seat.").ask(seat, 250)
        guard try await a.step("A sheet comes up.").nextRequest(seat) == .request(from: b.account, amount: 250) else {
            throw StackError("the request is not B's")
        }
        try await a.step("The person agrees.").accept(seat, of: b.account)
        guard try await b.step("The answer is there.").nextReply(seat).isAccepted else {
            throw StackError("the answer is no")
        }
        try await b.step("The app takes the seat over.").takeOver(seat, 250)
        for person in [a, b] {
            try await person.step("The seat has changed hands.").cars(ride.train, until: seat, is: b.account)
        }
        let credit = try await a.step("The person has 300, and 250 for the seat.").credit
        guard credit == 550 else { throw StackError("A has \(credit) instead of 550") }

        try await withdraw(b)
        try await a.step("The screen shows that the seat is free.").cars(ride.train, until: seat, is: nil)
        try await withdraw(a)
    }

    /// A ride on one line, and its train.
    private struct Ride {
        var train: String
        var start: Int64
        var end: Int64
        let car = "2429"
    }

    /// Signs a new user in and connects.
    private static func passenger(_ name: String, nickname: String, _ programs: Programs) async throws
        -> SeatCatcherClient
    {
        let client = SeatCatcherClient(programs.gateway.url, name: name, observer: show)
        client.step("The person allows the sign-in at Kakao.")
        let token = try await programs.outside.kakaoToken(.random(in: 10_000_000...4_000_000_000))
        try await client.step("The app hands Kakao's token over and gets its own.").signIn(kakao: token)
        try await client.step("The person chooses a name and a picture.").profile(
            changing: ["name": .string(nickname), "profileImageNum": "IMAGE_2", "tags": [], "hasOnBoarded": true]
        )
        try await client.step("The app opens its socket.").connect()
        return client
    }

    private static func chooseTrain(_ client: SeatCatcherClient) async throws -> Ride {
        var stops: [Int64] = []
        for station in ["강남", "방배"] {
            let found = try await client.step("The person types \(station) into the station search.")
                .send(\.searchStations, query: "keyword=\(station)&line=2&order=up").json()
            guard let stop = found[0]?["id"]?.integer else { throw StackError("the search found no \(station)") }
            stops.append(stop)
        }
        let trains = try await client.step("Which trains come?")
            .send(\.listIncomingTrains, query: "dep=강남&dest=방배&lineNumber=2").json()
        guard let train = trains[0] else { throw StackError("no train comes") }
        return Ride(train: try train.text("btrainNo"), start: stops[0], end: stops[1])
    }

    /// - Returns: The car as shown on the screen.
    private static func board(_ client: SeatCatcherClient, _ ride: Ride) async throws -> SeatCatcherCar {
        try await client.step("The person takes train \(ride.train).")
            .startJourney(ride.train, from: ride.start, to: ride.end)
        try await client.step("The app shows when it arrives.").path(until: false)
        try await client.step("The person types the number on the car's door.").look(ride.train, car: ride.car)
        return try await client.step("The screen shows the car.").nextCar(ride.train)
    }

    private static func freeSeat(of car: SeatCatcherCar, from place: Int) throws -> SeatID {
        guard let seat = car.seats.dropFirst(place).first(where: { car.occupants[$0] == nil }) else {
            throw StackError("there is no free seat")
        }
        return seat
    }

    private static func withdraw(_ client: SeatCatcherClient) async throws {
        try await client.step("The person deletes the account.").send(\.withdraw).expect(204)
        try await client.step("The socket is closed.").socket.ended()
    }

    /// Prints an event, the snapshot of a car as one line of words.
    private static func show(_ event: ClientEvent) {
        guard case .received(let frame, let body) = event,
            let car = try? JSONDecoder().decode([SeatCatcherSection].self, from: Data(body.utf8))
        else { return Transcript.print(event) }
        let seats = car.flatMap(\.seatStatus)
        let taken = seats.compactMap { seat in
            seat.occupant.map { "; seat \(seat.seatId): \($0.nickname), to \($0.getOffStationName)" }
        }
        let free = "\(seats.count - taken.count) of \(seats.count) free"
        Console.line("    ⇠ \(frame)  car \(car.first?.carCode ?? "?"), \(free)\(taken.joined())")
    }
}
