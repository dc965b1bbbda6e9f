import StackKit

/// A passenger who sits down and gets up.
struct LivePassenger: Sendable {
    let token: String
    /// The URL of the socket.
    let socket: String
    private let phone: Phone
    private let seat: Int64

    /// Signs a passenger in and finds a seat of a car.
    ///
    /// - Parameter number: From 0; a different passenger and seat for each.
    static func signIn(_ programs: Programs, number: Int, train: String, car: String) async throws -> LivePassenger {
        let phone = Phone(gateway: programs.gateway.url, sandbox: programs.sandbox.url, tell: { _ in })
        let person: JSON = ["id": .integer(4_000_001 + Int64(number))]
        let allowed = try await phone.outside("", .post, "/_control/kakao/tokens", body: person)
        let signedIn = try await phone.send(
            "",
            .post,
            "/user/authenticate/kakao",
            body: ["accessToken": .string(try allowed.text("access_token")), "fcmToken": ""],
            expecting: 201
        )
        let token = try signedIn.text("accessToken")
        await phone.keep("Authorization", "Bearer \(token)")
        let map = try await phone.send("", .get, "/trains?trainCode=\(train)&carCode=\(car)")
        guard case .integer(let seat)? = map[1]?["seatStatus"]?[number]?["seatId"] else {
            throw StackError("the car has no seat for passenger \(number)")
        }
        let socket = "ws" + programs.gateway.url.dropFirst("http".count) + "/seatcatcher"
        return LivePassenger(token: token, socket: socket, phone: phone, seat: seat)
    }

    func sit() async throws {
        try await phone.send("", .post, "/user/seats?seatId=\(seat)&creditAmount=10", expecting: 201)
    }

    func leave() async throws {
        try await phone.send("", .delete, "/user/seats", expecting: 204)
    }
}
