import AppClients
import Apps
import Contracts

/// What a test of two passengers gets: A sits on the seat.
typealias ExchangeTest =
    @Sendable (_ a: SeatCatcherClient, _ b: SeatCatcherClient, _ seat: SeatID, Platform) async throws -> Void

extension Platform {
    /// Signs a SeatCatcher user in, without a socket.
    ///
    /// - Parameter device: the FCM token; empty when the app has none.
    func signIn(kakao id: Int64, device: String = "") async throws -> SeatCatcherClient {
        let client = SeatCatcherClient(gateway, observer: Self.observer)
        try await client.signIn(kakao: sandboxClient.kakaoToken(id), device: device)
        return client
    }

    @discardableResult
    func seatCatcherSocket(token: String) async throws -> SeatCatcherSocket {
        try await SeatCatcherSocket(gateway, token: token, observer: Self.observer)
    }
}

extension SeatCatcherClient {
    /// A passenger who is signed in and connected.
    convenience init(_ platform: Platform, kakao id: Int64, device: String = "") async throws {
        self.init(platform.gateway, observer: Platform.observer)
        try await signIn(kakao: platform.sandboxClient.kakaoToken(id), device: device)
        try await profile()
        try await connect()
    }

    /// Takes a train, and opens a car.
    func board(_ train: String, car: String = "2429") async throws {
        try await startJourney(train, from: 32, to: 35)
        try await look(train, car: car)
    }

    /// Gets the next pair of tokens.
    func refresh(_ token: String) async throws -> ClientResponse {
        try await send(\.refreshTokens, body: ["refreshToken": "\(token)"])
    }
}
