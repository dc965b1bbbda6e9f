import StackKit

extension Scenario {
    /// The subway app: two passengers on one train; the second takes over the seat of the first.
    static let seatcatcher = Scenario(
        name: "seatcatcher",
        title: "SeatCatcher: A sits, B wants the seat, and both phones see everything as it happens"
    ) { phone in
        let a = try await Passenger(phone.another("A"), name: "하늘을 나는 고래")
        let b = try await Passenger(phone.another("B"), name: "빛나는 돌고래")
        let ride = try await a.chooseTrain()
        let empty = try await a.board(ride)
        _ = try await b.board(ride)

        let seat = try await a.sit("The person sits down, and is paid 300 for telling so.", in: empty, from: 6)
        let car = try await b.sees("The screen shows who has sat down.", seat, on: ride, is: a)
        try await b.sit(
            "The person finds a seat at the other end of the car, and is paid as well.",
            in: car,
            from: 40
        )
        try await b.phone.send(
            "The person pays to see who sits where.",
            .patch,
            "/credit?isAddition=0",
            body: ["amount": 10, "targetUserId": .integer(b.id)]
        )

        try await b.ask(seat, 250)
        try await a.isAsked(seat, by: b)
        try await a.accept(seat, of: b)
        try await b.isAccepted(seat, 250)
        for person in [a, b] { try await person.sees("The seat has changed hands.", seat, on: ride, is: b) }
        let paid = try await a.phone.send("The person has 300, and 250 for the seat.", .get, "/user/me")
        guard paid["credit"] == 550 else { throw StackError("A has \(paid["credit"] ?? .null) instead of 550") }

        try await b.withdraw()
        try await a.sees("The screen shows that the seat is free.", seat, on: ride, is: nil)
        try await a.withdraw()
    }
}
