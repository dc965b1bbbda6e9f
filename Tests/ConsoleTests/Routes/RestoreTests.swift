import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Console

/// People beside an auth service that knows one: account 5 of Anlaka, who leaves.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RestoreTests {
    private final class Received: Sendable {
        private let all = Mutex<(restores: [OperatorsAPI.Restore], ends: [OperatorsAPI.End])>(([], []))

        var restores: [OperatorsAPI.Restore] { all.withLock { $0.restores } }
        var ends: [OperatorsAPI.End] { all.withLock { $0.ends } }

        func add(_ restore: OperatorsAPI.Restore) { all.withLock { $0.restores.append(restore) } }
        func add(_ end: OperatorsAPI.End) { all.withLock { $0.ends.append(end) } }
    }

    private static let person = OperatorsAPI.Person(
        account: AccountID(rawValue: 5),
        app: .anlaka,
        publicID: PublicID.random(),
        nickname: "<b>하루</b>",
        email: "h***@madang.kr",
        phone: nil,
        createdAt: 1_764_000_000,
        isLeaving: true,
        sessions: [OperatorsAPI.Session(id: "s1", name: nil, device: "iPhone", createdAt: 0, seenAt: 0)],
        limits: [OperatorsAPI.Limit(name: "LIMIT_SIGN_IN_ACCOUNT", left: 3, of: 200)]
    )

    private static func withAuth(
        _ body: @escaping @Sendable (ConsoleWorld, Received) async throws -> Void
    ) async throws {
        let received = Received()
        try await StubService.run(
            { router in
                router.answer("internal/operators/people") { _, _ in OperatorsAPI.People(people: [person]) }
                router.post("internal/operators/people/restore") { request, _ in
                    let restore: OperatorsAPI.Restore = try await decoded(request)
                    guard restore.account == person.account else { throw HTTPError(.notFound) }
                    received.add(restore)
                    return try Router<BasicRequestContext>.json(OperatorsAPI.Restore.Answer(stays: true))
                }
                router.post("internal/operators/sessions/end") { request, _ in
                    let end: OperatorsAPI.End = try await decoded(request)
                    received.add(end)
                    return "{}"
                }
            },
            { url in
                try await ConsoleWorld.test({ $0.serviceURLs = [.auth: [url]] }) { try await body($0, received) }
            }
        )
    }

    private static func decoded<Value: Decodable>(_ request: Request) async throws -> Value {
        try JSONDecoder().decode(
            Value.self,
            from: Data(try await request.body.collect(upTo: 1 << 16).readableBytesView)
        )
    }

    private static let fields = ["account": "5", "app": "anlaka", "reason": "asked by phone"]

    @Test func withdrawal_isTakenBack_andRecorded() async throws {
        try await Self.withAuth { world, received in
            let browser = try await world.browser(role: "act")
            let page = try await browser.get("people?q=5").text
            #expect(page.contains("LIMIT_SIGN_IN_ACCOUNT 3/200") && page.contains("Take the withdrawal back"))
            #expect(!page.contains("<b>하루"))
            #expect(try await browser.post("people/restore", Self.fields).status == .seeOther)
            #expect(received.restores.map(\.by) == ["kim"])
            let acts = try await browser.get("acts").text
            #expect(acts.contains("withdrawal taken back") && acts.contains("asked by phone"))
        }
    }

    @Test(arguments: [["account": "6"], ["account": "x"], ["app": "nowhere"], ["reason": ""]])
    func restoreOfNothing_isRefused_andNotRecorded(change: [String: String]) async throws {
        try await Self.withAuth { world, received in
            let browser = try await world.browser(role: "act")
            let answer = try await browser.post("people/restore", Self.fields.merging(change) { $1 })
            #expect(answer.status == (change["reason"] == nil ? .notFound : .badRequest))
            #expect(received.restores.isEmpty)
            #expect(try await world.count("acts") == 0)
        }
    }

    @Test func operatorWhoLooks_restoresNothing() async throws {
        try await Self.withAuth { world, received in
            let browser = try await world.browser(role: "look")
            #expect(!(try await browser.get("people?q=5").text).contains("people/restore"))
            #expect(try await browser.post("people/restore", Self.fields).status == .forbidden)
            #expect(received.restores.isEmpty)
        }
    }

    @Test func session_isEnded_andRecorded() async throws {
        try await Self.withAuth { world, received in
            let browser = try await world.browser(role: "act")
            let answer = try await browser.post("people/end-session", Self.fields.merging(["session": "s1"]) { $1 })
            #expect(answer.status == .seeOther)
            #expect(received.ends.map(\.session) == ["s1"])
            #expect(try await browser.get("acts").text.contains("anlaka 5 s1"))
        }
    }

    /// The act is there though its outcome is not known.
    @Test func serviceThatDoesNotAnswer_leavesTheActWithItsError() async throws {
        try await ConsoleWorld.test({ $0.serviceURLs = [.auth: ["http://127.0.0.1:1"]] }) { world in
            let browser = try await world.browser(role: "act")
            let answer = try await browser.post("people/restore", Self.fields)
            #expect(answer.status == .serviceUnavailable && answer.text.contains("A program does not answer"))
            #expect(try await browser.get("acts").text.contains("not known"))
        }
    }
}
