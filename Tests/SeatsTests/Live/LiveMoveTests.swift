import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

@testable import Seats

/// Sockets that move between copies of the service. The fixture is a copy that stays.
@Suite(.database(Migrations.all), .timeLimit(.minutes(6)), .fixture(LiveSeatsWorld.test)) struct LiveMoveTests {
    private static let train = "/topic/seat.2234"

    private var world: LiveSeatsWorld { .current }

    private func copy() async throws -> RunningCopy<LiveSeatsWorld> {
        let copy = try await RunningCopy.start(LiveSeatsWorld.test)
        try await eventually("the copy is ready") {
            try await copy.value.client.execute(uri: "/readyz", method: .get, body: nil) { $0.status } == .ok
        }
        return copy
    }

    /// A phone with subscriptions.
    private func phone(
        _ account: AccountID,
        at copy: LiveSeatsWorld,
        _ destinations: [String]
    ) async throws -> MovingSTOMPClient {
        let token = try copy.key.token { $0.sub = "\(account)" }
        var phone = try await MovingSTOMPClient.connect(
            at: port(copy),
            of: .seats,
            SocketService.path,
            as: InternalIdentity(caller: .gateway, app: .seatcatcher),
            headers: "Authorization:Bearer \(token)\n"
        )
        for destination in destinations { try await phone.subscribe(destination) }
        return phone
    }

    private func port(_ copy: LiveSeatsWorld) throws -> Int { try #require(copy.client.port) }

    private static func bodies(
        _ client: STOMPClient,
        _ destination: String,
        _ count: Int
    ) async throws -> Task<[String], any Error> {
        let frames = try await client.subscribe(destination)
        return Task {
            var bodies: [String] = []
            for try await frame in frames {
                bodies.append(String(buffer: frame.body))
                if bodies.count == count { break }
            }
            return bodies
        }
    }

    private static func bodies(
        _ phone: inout MovingSTOMPClient,
        _ destination: String,
        _ count: Int
    ) async -> [String] {
        var bodies: [String] = []
        while bodies.count < count, let body = await phone.body(from: destination) { bodies.append(body) }
        return bodies
    }

    /// The members of JSON objects, whose order differs between copies.
    private static func fields(_ bodies: [String]) -> [[String]] {
        bodies.map { $0.dropFirst().dropLast().split(separator: ",").map(String.init).sorted() }
    }

    /// Waits until a phone shows a map.
    private static func look(_ phone: inout MovingSTOMPClient, for map: [SeatGroupBody]) async throws -> Bool {
        while let body = await phone.body(from: train) {
            if try JSONDecoder().decode([SeatGroupBody].self, from: Data(body.utf8)) == map { return true }
        }
        return false
    }

    @Test func movingPhones_getWhatOthersGet() async throws {
        let seats = world.seats
        let (seat, other) = (try await seats.seats()[0], try await seats.seats()[1])
        try await seats.register(3, "승객 3")
        try await seats.pay(2, 1000)
        let journey = try await seats.start(1).pathHistoryId
        #expect(try await seats.occupy(seat, 1) == "201")
        let (path, requests) = ("/topic/path-histories.\(journey)", "/topic/seat.\(seat).owner")
        let replies = "/topic/seat.\(seat).requester.2"
        let rounds = 12

        let still = (try await world.connect(1), try await world.connect(2))
        let expected = [
            try await Self.bodies(still.0, requests, rounds), try await Self.bodies(still.0, path, rounds + 1),
            try await Self.bodies(still.1, replies, rounds),
        ]
        var copy = try await copy()
        // The first passenger watches the car, the second one every car.
        var owner = try await phone(1, at: copy.value, [Self.train, requests, path, "/topic/hello"])
        var requester = try await phone(2, at: copy.value, [Self.train, replies])
        let changes = Task {
            let journeys = try SeatsDomain.current.journeys
            for round in 1...rounds {
                #expect(try await seats.request(seat, by: 2, Int64(round)) == "200")
                #expect(try await seats.occupy(other, 3) == "201")
                #expect(try await seats.yield(seat, 1, "oppositeUserId=2&type=REJECT") == "200")
                let kept = try await journeys.path(journey, account: 1)
                let check = Date.now.addingTimeInterval(Double(60 * round))
                try await journeys.update(kept, kept.tracking, nextCheck: check, isChanged: false)
                if round < rounds { #expect(try await seats.release(3) == "204") }
            }
        }
        for _ in 0..<3 {
            let next = try await self.copy()
            copy.beginEnd()
            let states = (try await owner.leave(), try await requester.leave())
            try await owner.arrive(at: port(next.value), with: states.0)
            try await requester.arrive(at: port(next.value), with: states.1)
            try await copy.end()
            copy = next
        }
        try await changes.value
        let map = try await seats.car()
        #expect(try await Self.look(&owner, for: map))
        #expect(try await Self.look(&requester, for: map))
        let got = [
            await Self.bodies(&owner, requests, rounds), await Self.bodies(&owner, path, rounds + 1),
            await Self.bodies(&requester, replies, rounds),
        ]
        for (bodies, task) in zip(got, expected) { #expect(Self.fields(bodies) == Self.fields(try await task.value)) }

        try await owner.send("안녕", to: "/app/hello")
        #expect(await owner.body(from: "/topic/hello") == "안녕")
        for destination in [requests, path] { #expect(owner.waiting(from: destination) == []) }
        try await copy.end()
    }

    /// The cursor of the new copy may be ahead of what the phone has got.
    @Test func messageDuringMove_isSentOnceAndRecorded() async throws {
        let seats = world.seats
        let seat = try await seats.seats()[0]
        try await seats.pay(2, 1000)
        _ = try await seats.occupy(seat, 1)
        let replies = "/topic/seat.\(seat).requester.2"
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(2, at: old.value, [replies, "/topic/hello"])
        old.beginEnd()
        let state = try await phone.leave()
        try await old.end()
        _ = try await seats.request(seat, by: 2, 100)
        #expect(try await seats.yield(seat, 1, "oppositeUserId=2&type=REJECT") == "200")
        try await world.database.execute("UPDATE live_messages SET delivered_at = now()")
        var other = try await self.phone(2, at: new.value, [replies])
        _ = try await seats.request(seat, by: 2, 200)
        #expect(try await seats.yield(seat, 1, "oppositeUserId=2&type=REJECT") == "200")
        #expect(await other.body(from: replies)?.isEmpty == false)
        try await eventually { try await unrecorded() == 0 }
        try await world.database.execute("UPDATE live_messages SET delivered_at = NULL")
        try await phone.arrive(at: port(new.value), with: state)
        #expect(await Self.bodies(&phone, replies, 2).count == 2)
        try await eventually { try await unrecorded() == 0 }
        _ = try await seats.request(seat, by: 2, 300)
        #expect(try await seats.yield(seat, 1, "oppositeUserId=2&type=REJECT") == "200")
        #expect(await phone.body(from: replies)?.isEmpty == false)
        try await phone.send("안녕", to: "/app/hello")
        #expect(phone.waiting(from: replies) == [])
        try await new.end()
    }

    /// The number of messages to the requester that are not recorded as delivered.
    private func unrecorded() async throws -> Int {
        try await world.database.one(
            "SELECT count(*) FROM live_messages WHERE topic LIKE 'requester/%' AND delivered_at IS NULL"
        ) { try $0.decode(Int.self) }
    }

    @Test func unchangedCar_isNotSentAgain() async throws {
        let seats = world.seats
        let seat = try await seats.seats()[0]
        _ = try await seats.occupy(seat, 1)
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(1, at: old.value, [Self.train, "/topic/hello"])
        #expect(try await Self.look(&phone, for: seats.car()))
        try await phone.move(from: old, to: port(new.value))
        try await phone.send("안녕", to: "/app/hello")
        #expect(phone.waiting(from: Self.train) == [])
        #expect(try await seats.release(1) == "204")
        #expect(try await Self.look(&phone, for: seats.car()))
        try await new.end()
    }

    /// A notification, or the comparison now and then, comes before the new copy knows which car is watched.
    @Test func unchangedCar_namedDuringMove_isNotSentAgain() async throws {
        let seats = world.seats
        let map = try await seats.car(1)
        #expect(try await seats.car(2) == map)
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(1, at: old.value, [Self.train, "/topic/hello"])
        #expect(try await Self.look(&phone, for: map))
        // The new copy shows the car already.
        var other = try await self.phone(2, at: new.value, [Self.train])
        #expect(try await Self.look(&other, for: map))
        old.beginEnd()
        let state = try await phone.leave()
        try await old.end()
        let car = CarAddress(storedTrain: "2234", code: "2429")
        try await world.database.transaction { transaction in
            try await transaction.execute("LOCK TABLE watched_cars")
            try await phone.arrive(at: port(new.value), with: state)
            try await transaction.waitUntilBlocking(statement: "%watched_cars%")
            let announcer = world.database.announcer
            announcer.announce(.watched(account: 1, car: car))
            announcer.announce(.revoked(account: 2, session: nil))
            while await other.next() != nil {}
        }
        try await phone.send("안녕", to: "/app/hello")
        #expect(phone.waiting(from: Self.train) == [])
        try await new.end()
    }

    @Test func carWatchedDuringMove_isSent() async throws {
        let seats = world.seats
        _ = try await seats.seats()
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(1, at: old.value, [Self.train])
        old.beginEnd()
        let state = try await phone.leave()
        let map = try await seats.car(car: "7250")
        try await phone.arrive(at: port(new.value), with: state)
        #expect(try await Self.look(&phone, for: map))
        try await old.end()
        try await new.end()
    }

    @Test(arguments: [false, true]) func passengerThatEndedDuringMove_isRefused(isWithdrawn: Bool) async throws {
        let (old, new) = (try await copy(), try await copy())
        var phone = try await phone(1, at: old.value, [Self.train])
        old.beginEnd()
        let state = try await phone.leave()
        try await old.end()
        if isWithdrawn {
            try await world.seats.withdraw(1)
        } else {
            try await world.seats.publish(AuthEvents.SessionRevoked(account: 1, session: "s1", app: .seatcatcher))
        }
        let arriving = phone
        let end = await #expect(throws: MovableSocket.Ended.self) {
            var phone = arriving
            try await phone.arrive(at: self.port(new.value), with: state)
        }
        #expect(end?.frames.first?.opcode == 0x8 && end?.frames.first?.payload.prefix(2) == [0x03, 0xf0])
        try await new.end()
    }
}
