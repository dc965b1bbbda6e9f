import Contracts
import Hummingbird
import TestKit
import Testing

@testable import Console

/// Seats, chat and estate as the console calls them: one car, one room, and a map.
enum LiveStubs {
    static let nickname = "<b>\"하루\"</b>"

    static func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await StubService.run(addRoutes, body)
    }

    static let car = OperatorsAPI.Car(
        train: "2234",
        car: "2429",
        line: "2",
        terminal: "성수",
        terminalAt: 1_764_000_000,
        seats: (0..<12).map { location in
            OperatorsAPI.Seat(
                id: SeatID(rawValue: Int64(location) + 1),
                section: "NORMAL_A_12",
                location: location,
                type: "NORMAL",
                sitter: location < 3 ? sitter(location) : nil
            )
        }
    )

    /// Seated, requested, overdue.
    private static func sitter(_ location: Int) -> OperatorsAPI.Sitter {
        OperatorsAPI.Sitter(
            account: AccountID(rawValue: Int64(location) + 71),
            nickname: nickname,
            destination: "강남",
            since: 1_764_000_000,
            arrivesAt: 1_764_000_600,
            isOverdue: location == 2,
            requesters: location == 1 ? [81, 82] : []
        )
    }

    static let room = OperatorsAPI.Room(
        summary: .init(
            id: 7,
            publicID: "aaaaaaaaaaaaaaaaaaaaaaa7",
            app: .anlaka,
            members: [71, 72],
            lastSequence: 220,
            updatedAt: 1_764_000_000
        ),
        members: [
            .init(account: 71, nickname: nickname, readThrough: 220, unread: 0, sockets: 1),
            .init(account: 72, nickname: "나무", readThrough: 150, unread: 1000, sockets: 0),
        ],
        events: (171...220).map { number in
            OperatorsAPI.RoomEvent(
                sequence: number,
                kind: number == 220 ? "edited" : "sent",
                message: number == 220 ? 180 : number,
                sender: 71,
                at: 1_764_000_000,
                length: 5,
                files: 0,
                readers: 0
            )
        }
    )

    static let map = OperatorsAPI.Map(
        clusters: [
            .init(
                id: "aaaaaaaaaaaaaaaaaaaaaaa1",
                count: 12,
                latitude: 37.55,
                longitude: 127.0,
                south: 37.54,
                west: 126.99,
                north: 37.56,
                east: 127.01
            )
        ],
        singles: [.init(id: "aaaaaaaaaaaaaaaaaaaaaaa2", latitude: 37.5, longitude: 126.9)],
        listings: 13
    )

    private static func addRoutes(to router: Router<BasicRequestContext>) {
        router.answer("/internal/operators/trains") { _, _ in
            OperatorsAPI.Trains(cars: [.init(train: "2234", car: "2429", line: "2", seated: 3, requests: 2)])
        }
        router.answer("/internal/operators/cars") { request, _ in
            request.uri.query == "train=2234&car=2429" ? car : nil
        }
        router.answer("/internal/operators/rooms") { _, _ in OperatorsAPI.Rooms(rooms: [room.summary]) }
        router.answer("/internal/operators/rooms/:room") { _, context in
            ["7", room.summary.publicID.rawValue].contains(context.parameters.get("room")) ? room : nil
        }
        router.answer("/internal/operators/map") { _, _ in map }
    }
}

extension Trait where Self == FixtureTrait<ConsoleWorld> {
    /// The console with seats, chat and estate.
    static var liveService: Self {
        .fixture { body in
            try await LiveStubs.run { url in
                try await ConsoleWorld.test({ $0.serviceURLs = [.seats: [url], .chat: [url], .estate: [url]] }, body)
            }
        }
    }
}
