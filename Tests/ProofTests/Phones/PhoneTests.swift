import AppClients
import Apps
import Contracts
import HTTPTypes
import Hummingbird
import Synchronization
import TestKit
import Testing

@testable import Proof

/// How a phone takes answers.
@Suite(.timeLimit(.minutes(1))) struct PhoneTests {
    private let diary = Diary()

    private func attempt(
        _ status: HTTPResponse.Status,
        _ body: String = "",
        cut: Duration? = nil,
        after delay: Duration = .zero
    ) async throws -> Phone.Answer {
        let phone = Phone("phone 1", of: 7, diary: diary, habits: try .usual())
        let answer = Mutex<Phone.Answer?>(nil)
        try await StubService.run(
            { router in
                router.get("x") { _, _ in
                    try await Task.sleep(for: delay)
                    return Response(status: status, headers: [:], body: .init(byteBuffer: .init(string: body)))
                }
            },
            { url in
                let transport = HTTPTransport(url)
                let one = await phone.attempt("chat", cut: cut) { try await transport.send(.get, "/x") }
                answer.withLock { $0 = one }
            }
        )
        return try #require(answer.withLock { $0 })
    }

    @Test func answers_areDone_refused_orOpen() async throws {
        #expect(try await attempt(.created).attempt.outcome == .done)
        #expect(try await attempt(.conflict, #"{"code":"TAKEN"}"#).attempt.outcome == .refused("409 TAKEN"))
        #expect(try await attempt(.gone, #"{"errorCode":"P_1"}"#).attempt.outcome == .refused("410 P_1"))
        #expect(try await attempt(.notFound, "<html>").attempt.outcome == .refused("404"))
        #expect(try await attempt(.serviceUnavailable).attempt.outcome == .unknown("status 503"))
        let answers = diary.all.answers
        #expect(answers.map(\.isAnswered) == [true, true, true, true, false])
        #expect(answers.allSatisfy { $0.kind == "chat" && $0.begun < $0.ended })
    }

    @Test func lostAnswer_isOpen_andNoFaultOfTheRoute() async throws {
        let answer = try await attempt(.ok, cut: .milliseconds(1), after: .seconds(2))
        #expect(answer.attempt.outcome.isUnknown && answer.response == nil)
        #expect(diary.all.answers.isEmpty)
    }

    @Test func refusedToken_isNoted() async throws {
        _ = try await attempt(.unauthorized)
        _ = try await attempt(.forbidden)
        #expect(diary.all.sessions.uses.map(\.session) == ["of phone 1"])
    }
}
