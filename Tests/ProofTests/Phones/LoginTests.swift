import AppClients
import Apps
import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import TestKit
import Testing

@testable import Proof

/// How phones renew their tokens, against a gateway whose tokens are numbers.
@Suite(.timeLimit(.minutes(1))) struct LoginTests {
    /// What the gateway accepts, and how it was asked.
    private final class Gateway: Sendable {
        struct State {
            /// The number of the token that is accepted.
            var valid = 1
            var refusal = HTTPResponse.Status.unauthorized
            /// The status of refreshes; 200 gives the next token.
            var refreshStatus = HTTPResponse.Status.ok
            var refreshes = 0
            var signIns = 0
            /// Seconds until new tokens end.
            var life = 600.0
        }

        let state = Mutex(State())

        /// A token that says when it ends.
        static func token(_ number: Int, endsIn seconds: Double) -> String {
            let end = Int64((Date.now.timeIntervalSince1970 + seconds).rounded())
            return "n\(number).\(Base64URL.encode(Array(#"{"exp":\#(end)}"#.utf8))).s"
        }

        func tokens() -> ClientTokens {
            let (number, life) = state.withLock { ($0.valid, $0.life) }
            return ClientTokens(accessToken: Self.token(number, endsIn: life), refreshToken: "r")
        }

        func addRoutes(to router: Router<BasicRequestContext>) {
            router.get("x") { [self] request, _ in
                let (valid, refusal) = state.withLock { ($0.valid, $0.refusal) }
                let isValid = request.headers[.authorization]?.hasPrefix("n\(valid).") == true
                return Response(status: isValid ? .ok : refusal)
            }
            router.post("refresh") { [self] _, _ in
                // Parallel ones meet.
                try await Task.sleep(for: .milliseconds(50))
                let status = state.withLock { state in
                    state.refreshes += 1
                    if state.refreshStatus == .ok { state.valid = 2 }
                    return state.refreshStatus
                }
                guard status == .ok else { return Response(status: status) }
                let tokens = tokens()
                let body = #"{"accessToken":"\#(tokens.accessToken)","refreshToken":"r"}"#
                return Response(status: .ok, body: .init(byteBuffer: .init(string: body)))
            }
        }
    }

    private let diary = Diary()
    private let gateway = Gateway()

    private func run(
        statuses: Set<Int> = [401],
        isAhead: Bool = false,
        isShared: Bool = true,
        failureSignsOut: Bool = true,
        endsIn seconds: Double = 600,
        _ body: @escaping @Sendable (Phone, @escaping @Sendable () async throws -> ClientResponse) async throws -> Void
    ) async throws {
        let (gateway, diary) = (gateway, diary)
        try await StubService.run(gateway.addRoutes) { url in
            let connection = AppConnection(url, tokenPrefix: "")
            connection.tokens = ClientTokens(
                accessToken: Gateway.token(1, endsIn: seconds),
                refreshToken: "r"
            )
            let renewal = Renewal(
                statuses: statuses,
                isAhead: isAhead,
                isShared: isShared,
                failureSignsOut: failureSignsOut,
                connection: connection,
                refresh: {
                    let answer = try await connection.transport.send(.post, "/refresh")
                    if answer.status == 200 { connection.tokens = try answer.value() }
                    return answer
                },
                signIn: {
                    gateway.state.withLock { $0.signIns += 1 }
                    connection.tokens = gateway.tokens()
                }
            )
            let phone = Phone("phone 1", of: 7, diary: diary, habits: try .usual(), renewal: renewal)
            try await body(phone) {
                let token = connection.tokens?.accessToken ?? ""
                return try await connection.transport.send(.get, "/x", headers: ["Authorization": token])
            }
        }
    }

    private var counts: (refreshes: Int, signIns: Int) { gateway.state.withLock { ($0.refreshes, $0.signIns) } }

    @Test func refusedToken_isRenewed_andTheRequestIsRepeated() async throws {
        gateway.state.withLock { $0.valid = 2 }
        try await run { phone, send in
            let answer = await phone.attempt("chat", send)
            #expect(answer.attempt.outcome == .done && answer.response?.status == 200)
        }
        #expect(counts == (1, 0))
        #expect(diary.all.sessions.uses.map(\.kind) == [.refresh])
        #expect(SignOutsHaveReasons.check(diary.all.sessions).isKept)
        #expect(diary.all.answers.map(\.kind) == ["chat", "auth", "chat"])
    }

    @Test func requestsOfOnePhone_shareARefresh_whereTheAppDoesSo() async throws {
        gateway.state.withLock { $0.valid = 2 }
        try await run { phone, send in
            await withDiscardingTaskGroup { tasks in
                for _ in 0..<5 {
                    tasks.addTask {
                        let answer = await phone.attempt("chat", send)
                        #expect(answer.attempt.outcome == .done)
                    }
                }
            }
        }
        #expect(counts == (1, 0))
    }

    @Test func endedToken_isRenewedAhead_byTheClockOfThePhone() async throws {
        gateway.state.withLock { $0.refusal = .init(code: 419) }
        try await run(statuses: [], isAhead: true, failureSignsOut: false, endsIn: -5) { phone, send in
            #expect(await phone.attempt("chat", send).attempt.outcome == .done)
        }
        #expect(counts == (1, 0) && diary.all.answers.map(\.kind) == ["auth", "chat"])
    }

    @Test func refusedRefresh_signsOut_withoutAReason_andThePersonSignsIn() async throws {
        gateway.state.withLock { ($0.valid, $0.refreshStatus) = (2, .badRequest) }
        try await run { phone, send in
            #expect(await phone.attempt("chat", send).attempt.outcome.isUnknown)
            #expect(await phone.attempt("chat", send).attempt.outcome == .done)
            #expect(phone.session == "2 of phone 1")
        }
        #expect(counts == (1, 1))
        let finding = SignOutsHaveReasons.check(diary.all.sessions)
        #expect(
            finding.violations.map(\.sentence) == ["phone 1 was signed out of session of phone 1 without a reason."]
        )
    }

    /// An app that takes an outage for the end of its session shows its sign-in, which says nothing about the session.
    @Test(arguments: [HTTPResponse.Status.serviceUnavailable, .tooManyRequests])
    func refreshThatIsNotAnswered_isNoRefusal(status: HTTPResponse.Status) async throws {
        gateway.state.withLock { ($0.valid, $0.refreshStatus) = (2, status) }
        try await run { phone, send in
            #expect(await phone.attempt("chat", send).attempt.outcome.isUnknown)
            #expect(await phone.attempt("chat", send).attempt.outcome == .done)
        }
        #expect(counts == (1, 1) && diary.all.sessions.uses.isEmpty)
    }

    @Test func appThatStaysSignedIn_refreshesAgainLater() async throws {
        gateway.state.withLock { $0.refreshStatus = .serviceUnavailable }
        let gateway = gateway
        try await run(statuses: [], isAhead: true, failureSignsOut: false, endsIn: -5) { phone, send in
            #expect(await phone.attempt("chat", send).attempt.outcome.isUnknown)
            gateway.state.withLock { $0.refreshStatus = .ok }
            #expect(await phone.attempt("chat", send).attempt.outcome == .done)
        }
        #expect(counts == (2, 0))
    }

    @Test func newToken_thatIsRefused_isNoted() async throws {
        gateway.state.withLock { $0.valid = 2 }
        let gateway = gateway
        try await run { phone, send in
            #expect(await phone.attempt("chat", send).attempt.outcome == .done)
            gateway.state.withLock { $0.valid = 9 }
            // The refresh gives the second token again, which is not accepted any more.
            gateway.state.withLock { $0.refreshStatus = .created }
            #expect(await phone.attempt("chat", send).attempt.outcome.isRefused)
        }
        #expect(!SignOutsHaveReasons.check(diary.all.sessions).isKept)
    }
}
