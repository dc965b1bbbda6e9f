import Contracts
import FoundationEssentials
import Hummingbird
import Subprocess
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// `stack events` against a stub of the auth service; the others do not run.
@Suite(.timeLimit(.minutes(1))) struct EventsCommandTests {
    private static let entry = OutboxAPI.Entry(
        number: 4711,
        event: UUID(),
        subscriber: "chat",
        name: "auth.profile-changed",
        key: "12",
        age: 90_000,
        refusals: 7,
        isParked: true,
        error: "auth.profile-changed has not the fields that it should have"
    )

    private func withAuth(_ body: @escaping @Sendable (_ port: String) async throws -> Void) async throws {
        try await StubService.run { router in
            router.answer("internal/outbox") { request, _ in
                let parameters = request.uri.queryParameters
                let isAsked = parameters["subscriber"] == "chat" && parameters["parked"] == "true"
                return OutboxAPI.Page(entries: isAsked ? [Self.entry] : [], hasMore: false)
            }
            router.answer("internal/outbox/4711") { _, _ in
                OutboxAPI.StoredEvent(entries: [Self.entry], body: #"{"account":12}"#)
            }
            for verb in ["retry", "4711/retry", "4711/drop"] {
                router.post("internal/outbox/\(verb)") { request, _ in
                    let data = Data(try await request.body.collect(upTo: 1 << 16).readableBytesView)
                    let asked = try JSONDecoder().decode(OutboxAPI.Intervention.self, from: data)
                    guard asked.by == "kim", asked.subscriber == "chat" else { throw HTTPError(.badRequest) }
                    guard !verb.hasSuffix("drop") || asked.reason == "ticket 17" else { throw HTTPError(.badRequest) }
                    return try Router<BasicRequestContext>.json(OutboxAPI.Outcome(deliveries: 1))
                }
            }
            router.post("internal/outbox/replay") { request, _ in
                let data = Data(try await request.body.collect(upTo: 1 << 16).readableBytesView)
                let asked = try JSONDecoder().decode(OutboxAPI.Replay.self, from: data)
                guard asked.by == "kim", asked.subscriber == "chat", asked.since == 1_795_577_696 else {
                    throw HTTPError(.badRequest)
                }
                let page = OutboxAPI.Replay.Page(deliveries: 2, last: asked.after < 3 ? asked.after + 1 : nil)
                return try Router<BasicRequestContext>.json(page)
            }
        } _: { address in
            try await body(String(address.split(separator: ":")[2]))
        }
    }

    private func run(_ words: String..., port: String = "1") async throws -> (isSuccess: Bool, text: String) {
        try await run(words, port)
    }

    private func run(_ words: [String], _ port: String) async throws -> (isSuccess: Bool, text: String) {
        let result = try await Subprocess.run(
            .path(FilePath("\(Executables.folder)/stack")),
            arguments: Arguments(["events"] + words),
            environment: .inherit.updating(["AUTH_PORT": port, "USER": "kim"]),
            output: .string(limit: 1 << 20),
            error: .combinedWithOutput
        )
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    @Test func list_printsLinePerDelivery() async throws {
        try await withAuth { port in
            let all = try await run("list", "--service", "auth", port: port)
            #expect(all.isSuccess && all.text == "no event waits\n", "\(all.text)")
            let parked = try await run("list", "--service", "auth", "--subscriber", "chat", "--parked", port: port)
            #expect(parked.isSuccess)
            let row = try #require(parked.text.split(separator: "\n").last)
            #expect(
                row == """
                    auth       4711   chat        auth.profile-changed  12   25 h  7         parked  \
                    auth.profile-changed has not the fields that it should have
                    """
            )
        }
    }

    @Test func list_namesServicesThatDoNotAnswer() async throws {
        let silent = try await run("list", "--service", "auth")
        #expect(!silent.isSuccess)
        #expect(silent.text.contains("auth does not answer at http://127.0.0.1:1; `stack status` shows what runs"))
    }

    @Test func show_printsBody() async throws {
        try await withAuth { port in
            let shown = try await run("show", "auth", "4711", port: port)
            #expect(shown.isSuccess && shown.text.contains(#"{"account":12}"#), "\(shown.text)")
            let missing = try await run("show", "auth", "1", port: port)
            #expect(!missing.isSuccess && missing.text.contains("auth refuses: 404"), "\(missing.text)")
        }
    }

    @Test func retryAndDrop_reportDeliveries() async throws {
        try await withAuth { port in
            for words in [["retry", "auth", "4711"], ["retry", "auth", "--parked"]] {
                let result = try await run(words[0], words[1], words[2], "--subscriber", "chat", port: port)
                #expect(result.isSuccess && result.text == "1 delivery will be tried again now\n", "\(result.text)")
            }
            let dropped = try await run(
                ["drop", "auth", "4711", "--subscriber", "chat", "--reason", "ticket 17"],
                port
            )
            #expect(dropped.isSuccess && dropped.text == "1 delivery dropped\n", "\(dropped.text)")
        }
    }

    @Test func replay_goesThroughAllPages() async throws {
        let since = "2026-11-25T12:34:56+09:00"
        try await withAuth { port in
            let done = try await run(["replay", "auth", "--subscriber", "chat", "--since", since], port)
            #expect(done.isSuccess && done.text == "auth: 8 deliveries made again\n", "\(done.text)")
            let all = try await run(["replay", "--subscriber", "chat", "--since", since], port)
            #expect(!all.isSuccess && all.text.contains("seats does not answer"), "\(all.text)")
        }
        let never = try await run("replay", "auth", "--subscriber", "chat", "--since", "yesterday")
        #expect(!never.isSuccess && never.text.contains("'yesterday' is no time; write it as"), "\(never.text)")
    }

    @Test func wrongWords_areExplained() async throws {
        let service = try await run("list", "--service", "bank")
        #expect(!service.isSuccess && service.text.contains("payments"), "\(service.text)")
        let both = try await run("retry", "auth", "4711", "--parked")
        #expect(!both.isSuccess && both.text.contains("name an event by its number, or --parked"), "\(both.text)")
        let neither = try await run("retry", "auth")
        #expect(!neither.isSuccess && neither.text.contains("name an event by its number, or --parked"))
        let silent = try await run("drop", "auth", "4711", "--reason", " ")
        #expect(!silent.isSuccess && silent.text.contains("--reason must say why"), "\(silent.text)")
        #expect(try await !run("drop", "auth", "4711").isSuccess)
    }

    @Test func help_teaches() async throws {
        let help = try await run("--help")
        #expect(help.isSuccess && help.text.contains("stack events retry auth --parked"), "\(help.text)")
    }
}
