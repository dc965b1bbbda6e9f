import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

/// Events that wait in a service's outbox, as the console shows them.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct EventsPageTests {
    private static func events(_ count: Int, error: String?) -> OutboxAPI.Page {
        let entries = (1...Int64(count)).map { number in
            OutboxAPI.Entry(
                number: number,
                event: UUID(),
                subscriber: "notifications",
                name: "chat.message_sent",
                key: "room 8",
                age: 90,
                refusals: 3,
                isParked: number == 1,
                error: error
            )
        }
        return OutboxAPI.Page(entries: entries, hasMore: true)
    }

    private static func show(
        _ page: OutboxAPI.Page,
        to role: String,
        _ check: @escaping @Sendable (TestResponse) throws -> Void
    ) async throws {
        try await StubService.run({ $0.answer("/internal/outbox") { _, _ in page } }) { url in
            try await ConsoleWorld.test({ $0.serviceURLs = [.chat: [url]] }) { world in
                let answer = try await world.browser(role: role).get("events")
                try check(answer)
            }
        }
    }

    @Test func events_haveTheirError_andAForm_forThoseWhoMayAct() async throws {
        for role in ["look", "act"] {
            try await Self.show(Self.events(2, error: "status 503"), to: role) { page in
                #expect(page.status == .ok)
                for part in [
                    "chat 1<br>chat.message_sent", "notifications", "status 503", "class=\"failed\"", "more of:",
                ] {
                    #expect(page.text.contains(part), "\(part)")
                }
                #expect(page.text.contains("events/chat/1/retry") == (role == "act"))
            }
        }
    }

    /// An error is what a subscriber has answered, which may be anything.
    @Test func hugeHostileErrors_areCut_andShownAsText() async throws {
        let error = "<script>alert(1)</script>\u{1B}[2J" + String(repeating: "<가\u{202E}\"'", count: 200_000)
        try await Self.show(Self.events(3, error: error), to: "act") { page in
            #expect(page.status == .ok && page.text.contains("&#60;script&#62;") && page.text.contains("…"))
            #expect(!page.text.contains("<script>") && !page.text.contains("\u{1B}"))
            #expect(page.text.utf8.count < 100_000)
        }
    }
}
