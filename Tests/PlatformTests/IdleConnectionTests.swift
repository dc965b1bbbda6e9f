import Contracts
import NIOCore
import NIOHTTP1
import Postgres
import Sockets
import TestKit
import Testing

@testable import Auth

/// Sockets through the gateway, beside connections that never complete.
@Suite(.timeLimit(.minutes(8))) struct IdleConnectionTests {
    private struct Group: Decodable {
        var seatStatus: [Seat]

        struct Seat: Decodable {
            var seatId: SeatID
            var occupant: Occupant?
        }

        struct Occupant: Decodable {
            var userId: AccountID
        }
    }

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

            let token = try await platform.signIn(kakao: 77).accessToken
            let account = try await platform.send(.GET, "/user/me", token: token).value(ProfileBody.self).userId
            // A profile that arrives after its passenger has taken a seat changes the seat map once more.
            try await platform.eventually {
                try await platform.seatsDatabase.client.one(
                    "SELECT EXISTS (SELECT FROM passengers WHERE account_id = \(account))"
                ) { try $0.decode(Bool.self) }
            }
            let map = try await platform.send(.GET, "/trains?trainCode=2001&carCode=2001", token: token)
            let seat = try #require(try map.value([Group].self).first?.seatStatus.first?.seatId)
            let phone = try await STOMPClient.connect(url, headers: [("Authorization", "Bearer \(token)")])
            var told = try await phone.subscribe(seats).makeAsyncIterator()
            #expect(try occupants(try #require(try await told.next())).isEmpty)
            for round in 0..<3 {
                let sat = try await platform.send(.POST, "/user/seats?seatId=\(seat)&creditAmount=0", token: token)
                #expect(sat.status == 201, "\(round)")
                #expect(try occupants(try #require(try await told.next())).count == 1)
                #expect(try await platform.send(.DELETE, "/user/seats", token: token).status == 204)
                #expect(try occupants(try #require(try await told.next())).isEmpty)
            }
            try await phone.disconnect()
            for connection in halfOpen { await connection.reset() }
            for socket in mute { await socket.close() }
        }
    }

    private func occupants(_ message: STOMPFrame) throws -> [AccountID] {
        let body = Wire.Answer(status: 200, headers: [:], body: String(buffer: message.body))
        return try body.value([Group].self).flatMap(\.seatStatus).compactMap(\.occupant?.userId)
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
