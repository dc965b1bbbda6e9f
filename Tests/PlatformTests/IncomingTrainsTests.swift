import AppClients
import Apps
import Testing

/// Incoming trains of the sandbox, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct IncomingTrainsTests {
    @Test func incomingTrains_existForEveryLine() async throws {
        try await Platform.test { platform in
            let client = try await platform.signIn(kakao: 7)
            func incoming(_ line: String, _ start: String, _ end: String) async throws -> ClientResponse {
                let query = "dep=\(start.encoded)&dest=\(end.encoded)&lineNumber=\(line)"
                return try await client.send(\.listIncomingTrains, query: query)
            }
            for line in ["2", "7", "1", "3", "4", "5", "6", "8"] {
                let found = try await client.send(\.searchStations, query: "line=\(line)&order=up").json()
                let names = try found.elements.map { try $0.text("name") }
                let middle = names[names.count / 2]
                for (start, end) in [(names[0], middle), (middle, names[0]), (middle, names[1])] {
                    let trains = try await incoming(line, start, end).expect().value([SeatCatcherTrain].self)
                    #expect(!trains.isEmpty, "line \(line): \(start) → \(end)")
                    #expect(trains.allSatisfy { $0.btrainNo.count == 4 && $0.ordkey.count > 6 })
                    let seconds = trains.compactMap { Int($0.barvlDt) }
                    #expect(seconds.count == trains.count && seconds == seconds.sorted())
                }
            }
            let nowhere = try await incoming("2", "강남", "온수")
            #expect((nowhere.status, nowhere.body) == (400, ""))
        }
    }
}
