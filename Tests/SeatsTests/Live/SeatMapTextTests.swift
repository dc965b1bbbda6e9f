import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct SeatMapTextTests {
    private var world: SeatsWorld { .current }

    /// The text after applying every message equals the text that is read from the database.
    @Test func appliedChanges_matchStoredSeatMap() async throws {
        try await SeatsWorld.test(passengers: [1: "큰 \"따옴표\" \\", 2: "줄\n바꿈", 3: "😀"]) { (world) async throws in
            let seats = try await world.seats()
            let car = try CarAddress(train: "2234", code: "2429")
            let store = CarStore()
            var text = SeatMapText(try await store.seatMap(of: car, in: world.database))
            _ = try await world.start(2)
            _ = try await world.occupy(seats[0], 1)
            _ = try await world.occupy(seats[47], 2)
            _ = try await world.occupy(seats[20], 3)
            _ = try await world.release(3)
            try await world.pay(3, 500)
            _ = try await world.request(seats[0], by: 3, 100)
            _ = try await world.yield(seats[0], 1, "oppositeUserId=3&type=ACCEPT")
            _ = try await world.occupy(seats[1], 1)
            for message in try await world.messages(.car(car)) {
                let changes = try JSONDecoder().decode([SeatChange].self, from: Data(message.body.utf8))
                text = text.applying(changes, id: message.id)
            }
            let stored = SeatMapText(try await store.seatMap(of: car, in: world.database))
            #expect(text.text == stored.text)
            #expect(text.through == stored.through)
            let groups = try JSONDecoder().decode([SeatGroupBody].self, from: Data(text.text.utf8))
            let names = groups.flatMap(\.seatStatus).compactMap(\.occupant?.nickname)
            #expect(Set(names) == ["큰 \"따옴표\" \\", "줄\n바꿈", "😀"])
        }
    }

    /// The state of a car changes only with a message, so that all copies show the same state for the same message
    /// number, no matter when they read it.
    @Test(.service) func overdueOccupancy_staysUntilMessage() async throws {
        let seat = try await world.seats()[0]
        let car = try CarAddress(train: "2234", code: "2429")
        _ = try await world.occupy(seat, 1)
        // The occupancy is overdue, but no message has been published.
        let overdue = try await world.database.transaction { transaction in
            try await transaction.execute("UPDATE occupancies SET arrives_at = now() - interval '1 second'")
            return try await CarStore().seatMap(of: car, in: transaction).seats.compactMap(\.occupant?.account)
        }
        #expect(overdue == [1])
    }

    @Test(.service) func changedProfile_isShownOnSeat() async throws {
        let seat = try await world.seats()[0]
        _ = try await world.occupy(seat, 1)
        try await world.register(1, "새 이름")
        let last = try #require(try await world.messages(.car(try CarAddress(train: "2234", code: "2429"))).last)
        #expect(last.body.contains("새 이름"))
        #expect(try await world.car()[0].seatStatus[0].occupant?.nickname == "새 이름")
    }
}
