import AppClients
import Apps

/// People of SeatCatcher.
enum SeatCatcherPeople {
    /// Signs a person in.
    ///
    /// - Parameters:
    ///   - name: Of the phone.
    ///   - id: At Kakao; of each person another one.
    static func join(_ name: String, _ id: Int64, in city: City) async throws -> SeatCatcherClient {
        let client = SeatCatcherClient(city.gateway(of: name))
        try await client.signIn(kakao: city.sandbox.kakaoToken(id))
        try await client.profile()
        return client
    }

    /// Has the arrivals announce a train of line 2, of which only then seats can be taken, and has a passenger read them.
    static func announce(_ train: String, to client: SeatCatcherClient, in city: City) async throws {
        let announced: RequestBody = [
            "btrainNo": .string(train), "line": "2", "station": "강남", "direction": 0, "seconds": 600,
            "destination": "신도림",
        ]
        try await city.sandbox.post("trains", announced).expect(204)
        try await client.send(\.listIncomingTrains, query: "dep=강남&dest=방배&lineNumber=2").expect()
    }
}
