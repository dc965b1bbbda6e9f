import AppClients
import Apps
import Postgres
import TestKit
import Testing

@testable import Seats

/// Many clients subscribe to one car while its seats change.
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherSnapshotTests {
    @Test func subscription_duringSeatChanges_endsWithLatestState() async throws {
        try await Platform.test(copies: 2, seats: { $0.policy.clawBackSeconds = 0 }) { platform in
            let a = try await SeatCatcherClient(platform, kakao: 500)
            var crowd: [SeatCatcherClient] = []
            for kakao: Int64 in 501...508 { crowd.append(try await SeatCatcherClient(platform, kakao: kakao)) }
            // A new train each time: its cars are not cached yet.
            for train in 3001...3010 {
                let topic = "/topic/seat.\(train)"
                let seat = try await a.car("2429", of: "\(train)").seats[0]
                for client in crowd { _ = try await client.car("2429", of: "\(train)") }
                let changing = Task {
                    for _ in 0..<4 {
                        try await a.send(\.occupySeat, query: "seatId=\(seat)").expect(201)
                        try await a.send(\.releaseSeat).expect(204)
                    }
                    try await a.send(\.occupySeat, query: "seatId=\(seat)").expect(201)
                }
                try await withThrowingDiscardingTaskGroup { group in
                    for (index, client) in crowd.enumerated() {
                        group.addTask {
                            try await Task.sleep(for: .milliseconds(index * 3))
                            try await client.subscribe(topic)
                        }
                    }
                }
                try await changing.value
                for client in crowd {
                    try await client.socket.settle()
                    var last = try await client.nextCar("\(train)")
                    while try !client.socket.unread(topic).isEmpty || last.occupants.isEmpty {
                        last = try await client.nextCar("\(train)")
                    }
                    #expect(last.occupants == [seat: a.account])
                    try await client.unsubscribe(topic)
                }
                try await a.send(\.releaseSeat).expect(204)
            }
        }
    }

    @Test func announcement_duringCarRead_reachesAllSubscribers() async throws {
        try await Platform.test { platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            let b = try await SeatCatcherClient(platform, kakao: 2)
            let seat = try await a.car("2429", of: "2234").seats[0]
            _ = try await b.car("2429", of: "2234")
            let change = """
                [{"seat":\(seat),"occupant":{"account":9,"nickname":"n","image":"IMAGE_1","tags":[],\
                "arrivesAt":1,"destination":"사당"}}]
                """
            // Repeated, because a message that arrives before the second subscription finds none.
            let announcing = Task {
                while true {
                    try await platform.seatsDatabase.client.execute(
                        """
                        WITH message AS (
                            INSERT INTO live_messages (topic, body) VALUES ('car/2234/2429', \(change)) RETURNING id, topic
                        )
                        SELECT pg_notify('live_' || current_schema(), id || ' ' || topic || ' ') FROM message
                        """
                    )
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            defer { announcing.cancel() }
            try await platform.whileSeatsCannotBeRead {
                for client in [a, b] { try await client.subscribe("/topic/seat.2234") }
                try await platform.waitForReader()
            }
            for client in [a, b] { try await client.cars("2234", until: seat, is: 9) }
            announcing.cancel()
            _ = await announcing.result
        }
    }

    @Test func carChange_duringCarRead_showsNewCar() async throws {
        try await Platform.test { platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            let b = try await SeatCatcherClient(platform, kakao: 2)
            let c = try await SeatCatcherClient(platform, kakao: 3)
            let first = try await a.car("2429", of: "2234").seats[0]
            let second = try await c.car("2430", of: "2234").seats[0]
            _ = try await b.car("2429", of: "2234")
            try await platform.whileSeatsCannotBeRead {
                try await b.subscribe("/topic/seat.2234")
                try await platform.waitForReader()
                // As another copy of the service does.
                try await platform.seatsDatabase.client.execute(
                    "UPDATE watched_cars SET car_code = '2430' WHERE account_id = \(b.account)"
                )
                try await platform.seatsDatabase.client.execute(
                    "SELECT pg_notify('live_' || current_schema(), \("watched \(b.account) 2234 2430"))"
                )
                // Long enough for the notification to arrive.
                try await Task.sleep(for: .milliseconds(200))
            }
            try await b.socket.settle()
            while try await b.nextCar("2234").code != "2430" {}
            try await a.sit(first)
            try await c.sit(second)
            let cars = try await b.cars("2234", until: second, is: c.account)
            #expect(cars.allSatisfy { $0.code == "2430" })
        }
    }
}
