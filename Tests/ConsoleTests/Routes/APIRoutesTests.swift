import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct APIRoutesTests {
    /// Runs with a gateway that signs one person in and answers one call.
    private static func withGateway(
        session: String = session,
        _ body: @escaping @Sendable (ConsoleWorld, Received) async throws -> Void
    ) async throws {
        let received = Received()
        try await StubService.run(
            { router in
                router.get("docs/moup.session.json") { _, _ in session }
                router.get("docs/moup.examples.json") { _, _ in examples }
                router.post("sign-in") { request, _ in
                    request.headers[.authorization] == "key" ? #"{"result":{"accessToken":"t-1"}}"# : "{}"
                }
                router.post("routines") { request, _ in
                    let text = String(buffer: try await request.body.collect(upTo: 1 << 16))
                    received.calls.withLock { $0.append("\(request.headers[.authorization] ?? "") \(text)") }
                    return Response(
                        status: .created,
                        headers: [.requestID: "abcd"],
                        body: ResponseBody(byteBuffer: .init(string: #"{"name":"<b>"}"#))
                    )
                }
            },
            { url in try await ConsoleWorld.test({ $0.gatewayURL = url }) { try await body($0, received) } }
        )
    }

    private final class Received: Sendable {
        let calls = Mutex<[String]>([])
    }

    private static let session = """
        {"headers":{"Authorization":"key"},"scheme":"Bearer ",
         "persons":[{"name":"owner","method":"POST","path":"/sign-in","headers":{},"body":"{}"}]}
        """
    private static let examples = #"{"POST /routines":{"path":"/routines","body":"{\"name\":\"x\"}"}}"#

    private static let fields = ["person": "owner", "path": "/routines", "body": #"{"name":"y"}"#, "reason": "try"]

    @Test func call_isSentAsThePerson_andItsStoryIsLinked() async throws {
        try await Self.withGateway { world, received in
            let browser = try await world.browser(role: "act")
            let form = try await browser.get("api/moup/createRoutine").text
            #expect(form.contains("<option>owner</option>") && form.contains("&#123;&#34;name&#34;:&#34;x&#34;&#125;"))
            let page = try await browser.post("api/moup/createRoutine", Self.fields)
            #expect(page.status == .ok && page.text.contains("Answer: 201") && page.text.contains("&#60;b&#62;"))
            #expect(page.text.contains("/console/story?q=%61%62%63%64"))
            #expect(received.calls.withLock { $0 } == [#"Bearer t-1 {"name":"y"}"#])
            let acts = try await browser.get("acts").text
            #expect(
                acts.contains("try call") && acts.contains("moup owner: POST /routines") && acts.contains("201 abcd")
            )
        }
    }

    @Test func signInThatFails_isTheAnswer() async throws {
        let session = Self.session.replacing(#""key""#, with: #""wrong""#)
        try await Self.withGateway(session: session) { world, received in
            let page = try await world.browser(role: "act").post("api/moup/createRoutine", Self.fields)
            #expect(page.status == .ok && page.text.contains("<pre>&#123;&#125;</pre>"))
            #expect(received.calls.withLock { $0 }.isEmpty)
        }
    }

    @Test(
        arguments: [
            (["person": "stranger"], 404), (["path": "http://example.com/"], 400), (["path": "/a b"], 400),
            (["path": "/\u{0}"], 400), (["reason": ""], 400), (["body": String(repeating: "x", count: 40_000)], 400),
        ] as [([String: String], Int)]
    )
    func callThatIsNone_isRefused(change: [String: String], status: Int) async throws {
        try await Self.withGateway { world, received in
            let browser = try await world.browser(role: "act")
            let answer = try await browser.post("api/moup/createRoutine", Self.fields.merging(change) { $1 })
            #expect(answer.status.code == status)
            #expect(received.calls.withLock { $0 }.isEmpty)
            #expect(try await world.count("acts") == 0)
        }
    }

    @Test func operatorWhoLooks_sendsNothing() async throws {
        try await Self.withGateway { world, received in
            let browser = try await world.browser(role: "look")
            #expect(!(try await browser.get("api/moup/createRoutine").text).contains("<textarea"))
            #expect(try await browser.post("api/moup/createRoutine", Self.fields).status == .forbidden)
            #expect(received.calls.withLock { $0 }.isEmpty)
        }
    }

    @Test func unknownAppOrOperation_isNotFound() async throws {
        try await ConsoleWorld.test { world in
            let browser = try await world.browser()
            for path in ["api/nowhere", "api/moup/nothing", "api/nowhere/createRoutine"] {
                #expect(try await browser.get(path).status == .notFound, "\(path)")
            }
            let page = try await browser.get("api/moup/createRoutine")
            #expect(page.status == .ok && page.text.contains("in development only"))
        }
    }
}
