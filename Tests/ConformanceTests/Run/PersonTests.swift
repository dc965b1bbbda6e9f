import AppClients
import Contracts
import HTTPTypes
import Hummingbird
import Synchronization
import TestKit
import Testing

@testable import Conformance

/// What is found in single answers.
@Suite(.timeLimit(.minutes(2))) struct PersonTests {
    private static let call = "GET /v1/common"

    @Test(arguments: [
        (BadServer.Answer(body: #"{"message":"hi"}"#), [String]()),
        (BadServer.Answer(body: #"{"message":7}"#), ["$.message"]),
        (BadServer.Answer(body: "{}"), ["$.message"]),
        (BadServer.Answer(status: .created, body: #"{"message":"hi"}"#), ["status"]),
        (BadServer.Answer(type: "text/plain", body: #"{"message":"hi"}"#), ["header Content-Type"]),
        (BadServer.Answer(type: "text/html", body: "<html></html>"), ["body", "header Content-Type"]),
        (BadServer.Answer(status: .noContent, body: ""), ["status"]),
        (BadServer.Answer(status: .internalServerError, body: "oops"), ["status"]),
    ])
    func answer_isCompared(_ answer: BadServer.Answer, _ places: [String]) async throws {
        try await BadServer.run({ _ in answer }) { url in
            let (person, results) = try BadServer.person(.anlaka, url)
            try await person.ask(Self.call)
            #expect(results.places(Self.call) == places)
            #expect(results.of(Self.call)?.checks == ["answer"])
        }
    }

    @Test(arguments: [
        (BadServer.Answer(status: .gone, body: #"{"errorCode":"POST_006","message":"x","result":null}"#), [String]()),
        (
            BadServer.Answer(status: .notFound, body: #"{"errorCode":"POST_006","message":"x","result":null}"#),
            ["status"]
        ),
        (
            BadServer.Answer(status: .gone, body: #"{"errorCode":"POST_005","message":"x","result":null}"#),
            ["$.errorCode"]
        ),
        (BadServer.Answer(status: .gone, body: #"{"message":"x","errorCode":"POST_006","result":null}"#), ["$"]),
        (BadServer.Answer(status: .gone, body: #"{"errorCode":"POST_006","message":"x","result":{}}"#), ["$.result"]),
        (BadServer.Answer(status: .gone, body: ""), ["body"]),
    ])
    func refusal_isCompared(_ answer: BadServer.Answer, _ places: [String]) async throws {
        let call = "GET /api/v1/posts/{postId}"
        try await BadServer.run({ _ in answer }) { url in
            let (person, results) = try BadServer.person(.withsuhyeon, url)
            try await person.refused(call, 7, with: 410, code: "POST_006", when: "unknown id")
            #expect(results.places(call) == places)
        }
    }

    @Test func limitedRate_isAskedAgain() async throws {
        let asked = Mutex(0)
        try await BadServer.run(
            { _ in
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                guard count > 1 else { return .init(status: .tooManyRequests, headers: [.retryAfter: "1"]) }
                return .init(body: #"{"message":"hi"}"#)
            },
            { url in
                let (person, results) = try BadServer.person(.anlaka, url)
                try await person.ask(Self.call)
                #expect(results.of(Self.call)?.verdict == .conforms)
            }
        )
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func serverThatHasGone_endsTheRun() async throws {
        let (person, results) = try BadServer.person(.anlaka, await BadServer.closedURL())
        for _ in 1...2 { try await person.ask(Self.call) }
        #expect(results.places(Self.call) == ["answer", "answer"])
        await #expect(throws: ConformanceError.self) { try await person.ask(Self.call) }
    }

    @Test func brokenAnswer_isADeviation() async throws {
        let server = try await ScriptedServer.start(nil) { $0.hasPrefix("GET") ? "close" : nil }
        let (person, results) = try BadServer.person(.anlaka, "http://127.0.0.1:\(server.port)")
        try await person.ask(Self.call)
        #expect(results.places(Self.call) == ["answer"])
        try await server.stop()
    }
}
