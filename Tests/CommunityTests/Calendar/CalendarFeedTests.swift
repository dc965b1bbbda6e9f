import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ServiceKit
import Testing

@testable import Community

/// Answers and failures of the city's feed.
@Suite(.timeLimit(.minutes(1))) struct CalendarFeedTests {
    private static let key = "a-key"

    private func fail(_ sandbox: any TestClientProtocol, _ kind: String, status: Int = 503) async throws {
        let order = #"{"provider":"seoul","kind":"\#(kind)","status":\#(status),"count":1}"#
        try await sandbox.execute(uri: "/_control/faults", method: .post, body: ByteBuffer(string: order)) {
            #expect($0.status == .noContent)
        }
    }

    @Test func parts_equalSlicesOfWholeFeed() async throws {
        try await CalendarDataset.sandbox { (_, url) async throws in
            let feed = CalendarFeed(url: url, key: Self.key)
            let all = try await feed.part(1...1000)
            #expect(all.total == all.events.count && all.total > 300)
            #expect(Set(all.events.map(\.id)).count == all.total)
            #expect(all.events.allSatisfy { $0.startsOn != nil && $0.place != nil })
            let part = try await feed.part(11...20)
            #expect(part.events == Array(all.events[10..<20]) && part.total == all.total)
        }
    }

    @Test func answerWithoutRows_throwsProviderUnavailable() async throws {
        try await CalendarDataset.sandbox { (sandbox, url) async throws in
            let feed = CalendarFeed(url: url, key: Self.key, timeout: .milliseconds(300))
            let failure = ProviderUnavailable(provider: "Seoul's open data")
            for (kind, status) in [("http", 503), ("http", 500), ("http", 200), ("http", 404), ("timeout", 0)] {
                try await fail(sandbox, kind, status: status)
                await #expect(throws: failure, "\(kind) \(status)") { try await feed.part(1...1000) }
            }
            await #expect(throws: failure) { try await feed.part(5000...5999) }
            await #expect(throws: failure) { try await feed.part(1...1001) }
            await #expect(throws: failure) { try await CalendarFeed(url: url, key: "sample").part(1...1000) }
            await #expect(throws: failure) { try await CalendarFeed(url: "http://127.0.0.1:9", key: "k").part(1...5) }
            let patient = CalendarFeed(url: url, key: Self.key)
            #expect(try await patient.part(1...5).events.count == 5)
        }
    }

    @Test func rows_areDecodedLeniently() throws {
        let text = #"""
            {"culturalEventInfo":{"list_total_count":2,"RESULT":{"CODE":"INFO-000","MESSAGE":""},
             "row":[{"TITLE":"가","LAT":37.5,"PLAYER":null,"X":[1]},{"TITLE":"나"}]}}
            """#
        let answer = try JSONDecoder().decode(CalendarAnswer.self, from: Data(text.utf8))
        #expect(answer.total == 2 && answer.code == "INFO-000")
        #expect(answer.rows == [["TITLE": "가", "LAT": "37.5", "PLAYER": "", "X": ""], ["TITLE": "나"]])
        let alone = try JSONDecoder().decode(
            CalendarAnswer.self,
            from: Data(#"{"RESULT":{"CODE":"INFO-200","MESSAGE":""}}"#.utf8)
        )
        #expect(alone.code == "INFO-200" && alone.rows == [])
    }
}
