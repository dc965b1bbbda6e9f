import AppClients
import Apps
import Postgres
import TestKit
import Testing

/// Sockets, replicas of the service and its database listeners are cut; every client still gets the latest state.
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherReconnectTests {
    private let train = "2999"

    private func meet(_ body: @escaping ExchangeTest) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 301)
            let b = try await SeatCatcherClient(platform, kakao: 302)
            try await platform.credit(b, 300)
            for client in [a, b] { try await client.board(train) }
            let seat = try await a.car("2429", of: train).seats[0]
            try await a.sit(seat)
            try await b.cars(train, until: seat, is: a.account)
            try await body(a, b, seat, platform)
            try await platform.checkLedger()
        }
    }

    @Test func reconnectedRequester_getsReply() async throws {
        try await meet { [train] a, b, seat, _ in
            try await b.socket.close()
            try await b.yield(seat, "creditAmount=300&type=REQUEST")
            try await a.socket.close()
            try await a.reconnect()
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
            try await a.accept(seat, of: b.account)
            try await b.reconnect()
            try await b.subscribe("/topic/seat.\(seat).requester.\(b.account)")
            #expect(try await b.nextReply(seat).isAccepted)
            try await b.takeOver(seat, 300)
            try await b.cars(train, until: seat, is: b.account)
            #expect(try await b.path(until: false).nextScheduleTime != nil)
        }
    }

    @Test func stoppedReplicas_giveTheirSocketsToOthers() async throws {
        try await meet { [train] a, b, seat, platform in
            for (index, copy) in platform.seatsCopies.enumerated() {
                try await copy.stop()
                // The gateway has noticed that its connections to this replica are closed: reads are repeated, changes not.
                _ = try await b.credit
                try await b.ask(seat, 300)
                #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
                try await platform.startSeats(index)
                try await a.reject(seat, of: b.account, 300)
                #expect(try await b.nextReply(seat).isAccepted == false)
            }
            try await platform.seatsCopies[0].stop()
            _ = try await b.credit
            try await b.ask(seat, 300)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
            try await a.accept(seat, of: b.account)
            #expect(try await b.nextReply(seat).isAccepted)
            for client in [a, b] {
                try await client.cars(train, until: seat, is: b.account)
                #expect(try client.socket.end == nil, "the sockets stay open")
                try await client.socket.settle()
            }
            #expect(try a.socket.unread("/topic/seat.\(seat).owner").isEmpty)
            #expect(try b.socket.unread("/topic/seat.\(seat).requester.\(b.account)").isEmpty)
            try await platform.seatsCopies[0].start()
        }
    }

    /// While no replica is left, the gateway has the sockets.
    @Test func journey_afterRestartOfAllReplicas_completes() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            for copy in platform.seatsCopies { try await copy.stop() }
            try await platform.place(train, at: "방배", in: -5)
            try await platform.lookForTrains()
            for copy in platform.seatsCopies { try await copy.start() }
            for client in [a, b] { try await client.path(until: true) }
            try await b.cars(train, until: seat, is: nil)
            try await eventually { try await b.credit == 300 }
            for client in [a, b] { #expect(try client.socket.end == nil, "the sockets stay open") }
        }
    }

    @Test func events_duringListenerLoss_areDelivered() async throws {
        try await meet { [train] a, b, seat, platform in
            var cut = 0
            for _ in 0..<3 {
                cut += try await platform.cutListeners()
                try await b.ask(seat, 300)
                #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
                cut += try await platform.cutListeners()
                try await a.reject(seat, of: b.account, 300)
                #expect(try await b.nextReply(seat).isAccepted == false)
                cut += try await platform.cutListeners()
                try await a.leave(seat)
                try await b.cars(train, until: seat, is: nil)
                cut += try await platform.cutListeners()
                try await a.sit(seat)
                try await b.cars(train, until: seat, is: a.account)
            }
            #expect(cut > 0)
            try await platform.cutListeners()
            try await platform.place(train, at: "방배", in: -5)
            try await platform.lookForTrains()
            for client in [a, b] { try await client.path(until: true) }
            try await b.cars(train, until: seat, is: nil)
        }
    }

    @Test func missedNotification_isRecoveredFromDatabase() async throws {
        try await meet { [train] a, b, seat, platform in
            let other = try await SeatCatcherClient(platform, kakao: 303).car("2430", of: train).seats[0]
            let database = platform.seatsDatabase.client
            // As if the notification had been sent while no listener was connected.
            try await database.execute("UPDATE watched_cars SET car_code = '2430' WHERE account_id = \(b.account)")
            try await database.execute("UPDATE passengers SET withdrawn_at = now() WHERE account_id = \(a.account)")
            #expect(try await platform.cutListeners() == 2)
            #expect(try await a.socket.ended() == "Your session has ended")
            while try await b.nextCar(train).seats[0] != other {}
            try await database.execute("UPDATE passengers SET withdrawn_at = NULL WHERE account_id = \(a.account)")
        }
    }
}
