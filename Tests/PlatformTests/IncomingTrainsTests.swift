import NIOHTTP1
import Testing

@testable import Auth

/// Incoming trains of the sandbox, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct IncomingTrainsTests {
    private struct TrainBody: Decodable {
        var btrainNo: String
        var ordkey: String
        var barvlDt: String
        var arvlCd: Int
    }

    private struct StationBody: Decodable {
        var name: String
    }

    private func incomings(_ line: String, _ start: String, _ end: String) -> String {
        "/trains/incomings?dep=\(encoded(start))&dest=\(encoded(end))&lineNumber=\(line)"
    }

    private func encoded(_ text: String) -> String {
        text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func incomingTrains_existForEveryLine() async throws {
        try await Platform.test { platform in
            let token = try await platform.signIn(kakao: 7).accessToken
            for line in ["2", "7", "1", "3", "4", "5", "6", "8"] {
                let found = try await platform.send(.GET, "/stations?line=\(line)&order=up", token: token)
                let names = try found.value([StationBody].self).map(\.name)
                let middle = names[names.count / 2]
                for (start, end) in [(names[0], middle), (middle, names[0]), (middle, names[1])] {
                    let answer = try await platform.send(.GET, incomings(line, start, end), token: token)
                    #expect(answer.status == 200)
                    let trains = try answer.value([TrainBody].self)
                    #expect(!trains.isEmpty, "line \(line): \(start) → \(end)")
                    #expect(trains.allSatisfy { $0.btrainNo.count == 4 && $0.ordkey.count > 6 })
                    let seconds = trains.compactMap { Int($0.barvlDt) }
                    #expect(seconds.count == trains.count && seconds == seconds.sorted())
                }
            }
            let nowhere = try await platform.send(.GET, incomings("2", "강남", "온수"), token: token)
            #expect((nowhere.status, nowhere.body) == (400, ""))
        }
    }
}
