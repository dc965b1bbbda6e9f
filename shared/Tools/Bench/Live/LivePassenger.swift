import AppClients
import Apps
import Contracts
import StackKit

/// A passenger who sits down and gets up.
struct LivePassenger: Sendable {
    /// The URL of the socket.
    let socket: String
    let train: String
    private let car: String
    let client: SeatCatcherClient
    let seat: SeatID

    var token: String { client.token }

    /// Signs a passenger in and finds a seat of a car.
    ///
    /// - Parameter number: From 0; a different passenger and seat for each.
    static func signIn(_ programs: Programs, number: Int, train: String, car: String) async throws -> LivePassenger {
        let (gateway, sandbox) = (programs.gateway.url, programs.sandboxURL)
        return try await signIn(gateway: gateway, sandbox: sandbox, number: number, train: train, car: car)
    }

    static func signIn(
        gateway: String,
        sandbox: String,
        number: Int,
        train: String,
        car: String
    ) async throws -> LivePassenger {
        let client = SeatCatcherClient(gateway)
        let sandbox = SandboxClient(sandbox)
        try await client.signIn(kakao: sandbox.kakaoToken(4_000_001 + Int64(number)))
        // A seat can be taken only in a train that the arrivals have announced.
        let announced: RequestBody = [
            "btrainNo": .string(train), "line": "2", "station": "강남", "direction": 0, "seconds": 600,
            "destination": "신도림",
        ]
        try await sandbox.post("trains", announced).expect(204)
        try await client.send(\.listIncomingTrains, query: "dep=강남&dest=방배&lineNumber=2").expect()
        let sections = try await client.send(\.getCar, query: "trainCode=\(train)&carCode=\(car)")
            .value([SeatCatcherSection].self)
        guard sections.count > 1, sections[1].seatStatus.indices.contains(number) else {
            throw StackError("the car has no seat for passenger \(number)")
        }
        let socket = client.connection.socketURL("/seatcatcher")
        let seat = sections[1].seatStatus[number].seatId
        return LivePassenger(socket: socket, train: train, car: car, client: client, seat: seat)
    }

    /// The same passenger at another gateway.
    func at(_ gateway: String) -> LivePassenger {
        let other = SeatCatcherClient(gateway)
        other.connection.tokens = client.connection.tokens
        let socket = other.connection.socketURL("/seatcatcher")
        return LivePassenger(socket: socket, train: train, car: car, client: other, seat: seat)
    }

    func sit() async throws { try await change(sits: true, isRepeated: false) }
    func leave() async throws { try await change(sits: false, isRepeated: false) }

    /// - Parameters:
    ///   - sits: Whether the passenger sits down, or gets up.
    ///   - isRepeated: Whether an earlier attempt may have succeeded, of which the answer is lost.
    func change(sits: Bool, isRepeated: Bool) async throws {
        let answer =
            sits
            ? try await client.send(\.occupySeat, query: "seatId=\(seat)&creditAmount=10")
            : try await client.send(\.releaseSeat)
        let code = sits ? "USER_ALREADY_RESERVED" : "USER_NOT_RESERVED"
        if isRepeated, answer.status == 409, answer.body.contains(code) { return }
        try answer.expect(sits ? 201 : 204)
    }

    /// The seats of the car, as they are sent to its subscribers.
    func seats() async throws -> String {
        try await client.send(\.getCar, query: "trainCode=\(train)&carCode=\(car)").expect().body
    }
}
