import AppClients
import Apps
import Contracts
import FoundationEssentials
import NIOCore
import Postgres
import Sockets
import TestKit
import Testing

/// Sockets through the gateway, beside connections that never complete.
@Suite(.timeLimit(.minutes(8))) struct IdleConnectionTests {
    private let seats = "/topic/seat.2001"

    @Test func subscription_besideIdleConnections_getsUpdates() async throws {
        try await Platform.test { platform in
            let port = try #require(Int(platform.gateway.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst()))
            let url = "ws://127.0.0.1:\(port)/seatcatcher"
            let halfOpen = try await open(150) {
                let connection = try await RawConnection.connect(to: port)
                try await connection.send("GET /seatcatcher HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgr")
                return connection
            }
            let mute = try await open(150) { try await WebSocketClient.connect(url) }

            let client = try await platform.signIn(kakao: 77)
            try await client.profile()
            // A profile that arrives after its passenger has taken a seat changes the seat map once more.
            try await eventually {
                try await platform.seatsDatabase.client.one(
                    "SELECT EXISTS (SELECT FROM passengers WHERE account_id = \(client.account))"
                ) { try $0.decode(Bool.self) }
            }
            let seat = try await client.car("2001", of: "2001").seats[0]
            let socket = try await STOMPClient.connect(url, headers: [("Authorization", "Bearer \(client.token)")])
            var messages = try await socket.subscribe(seats).makeAsyncIterator()
            #expect(try occupants(try #require(try await messages.next())).isEmpty)
            for round in 0..<3 {
                let sat = try await client.send(\.occupySeat, query: "seatId=\(seat)&creditAmount=0")
                #expect(sat.status == 201, "\(round)")
                #expect(try occupants(try #require(try await messages.next())).count == 1)
                #expect(try await client.send(\.releaseSeat).status == 204)
                #expect(try occupants(try #require(try await messages.next())).isEmpty)
            }
            try await socket.disconnect()
            for connection in halfOpen { await connection.reset() }
            for connection in mute { await connection.close() }
        }
    }

    private func occupants(_ message: STOMPFrame) throws -> [AccountID] {
        let sections = try JSONDecoder().decode([SeatCatcherSection].self, from: Data(message.body.readableBytesView))
        return sections.flatMap(\.seatStatus).compactMap(\.occupant?.userId)
    }

    private func open<Connection: Sendable>(
        _ count: Int,
        _ one: @escaping @Sendable () async throws -> Connection
    ) async throws -> [Connection] {
        try await withThrowingTaskGroup(of: Connection.self) { group in
            for _ in 0..<count { group.addTask { try await one() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
