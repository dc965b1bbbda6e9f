import Contracts
import FoundationEssentials
import Hummingbird
import Subprocess
import Synchronization
import SystemPackage
import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// `stack reports` against a stub of the community service.
@Suite(.timeLimit(.minutes(1))) struct ReportsCommandTests {
    private static let item = ReportsAPI.Item(
        kind: "post",
        id: 4711,
        author: 12,
        text: "제목\n내용\u{1b}[2J",
        hiddenAt: "2026-11-24T01:02:03Z",
        reports: [.init(account: 21, reason: "광고", counts: true), .init(account: 22, reason: "욕설", counts: false)]
    )

    private func run(_ words: String..., isEmpty: Bool = false) async throws -> (isSuccess: Bool, text: String) {
        let outcome = Mutex((isSuccess: false, text: ""))
        try await StubService.run { router in
            router.answer("internal/reports") { _, _ in ReportsAPI.Waiting(items: isEmpty ? [] : [Self.item]) }
            for decision in ["restore", "confirm"] {
                router.post("internal/reports/post/4711/\(decision)") { request, _ in
                    let data = Data(try await request.body.collect(upTo: 1 << 16).readableBytesView)
                    let asked = try JSONDecoder().decode(ReportsAPI.Decision.self, from: data)
                    guard asked.ignoresReporters == words.contains("--ignore-reporters") else {
                        throw HTTPError(.badRequest)
                    }
                    return Response(status: .noContent)
                }
            }
        } _: { address in
            let result = try await Subprocess.run(
                .path(FilePath("\(Executables.folder)/stack")),
                arguments: Arguments(["reports"] + words),
                environment: .inherit.updating(["COMMUNITY_PORT": String(address.split(separator: ":")[2])]),
                output: .string(limit: 1 << 20),
                error: .combinedWithOutput
            )
            outcome.withLock { $0 = (result.terminationStatus.isSuccess, result.standardOutput) }
        }
        return outcome.withLock(\.self)
    }

    @Test func list_printsContentAndReasons() async throws {
        let list = try await run("list")
        #expect(list.isSuccess)
        #expect(
            list.text == """
                post 4711  hidden 2026-11-24T01:02:03Z, by account 12
                    제목
                    내용[2J
                  account 21: 광고
                  account 22 (does not count): 욕설

                """
        )
        #expect(try await run("list", isEmpty: true).text == "nothing waits for a decision\n")
    }

    @Test(arguments: [
        (["restore", "post", "4711"], "post 4711: shown again\n"),
        (["restore", "post", "4711", "--ignore-reporters"], "post 4711: shown again\n"),
        (["confirm", "post", "4711"], "post 4711: stays hidden\n"),
    ])
    func decision_isSent(words: [String], expected: String) async throws {
        let result =
            words.count == 4
            ? try await run(words[0], words[1], words[2], words[3]) : try await run(words[0], words[1], words[2])
        #expect(result.isSuccess && result.text == expected, "\(result.text)")
    }

    @Test func wrongWords_areExplained() async throws {
        let missing = try await run("restore", "post", "1")
        #expect(!missing.isSuccess && missing.text.contains("community refuses: 404"), "\(missing.text)")
        let kind = try await run("restore", "page", "1")
        #expect(!kind.isSuccess && kind.text.contains("gallery-item"), "\(kind.text)")
    }
}
