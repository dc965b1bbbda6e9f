import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Console

/// What pages that follow are sent.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PageUpdatesTests {
    /// Chat, with one room, which counts how often it is asked for it.
    private final class Chat: Sendable {
        let questions = Atomic<Int>(0)

        func run(_ body: @escaping @Sendable (ConsoleWorld) async throws -> Void) async throws {
            let addRoutes = { (router: Router<BasicRequestContext>) in
                router.answer("/internal/operators/rooms/:room") { _, context in
                    self.questions.add(1, ordering: .relaxed)
                    return context.parameters.get("room") == "7" ? LiveStubs.room : nil
                }
            }
            try await StubService.run(addRoutes) { url in
                let adjust = { (configuration: inout ConsoleConfiguration) in
                    configuration.serviceURLs = [.chat: [url]]
                    configuration.updatePause = .milliseconds(20)
                }
                try await ConsoleWorld.test(adjust, body)
            }
        }
    }

    @Test func page_isSentAgainAndAgain_untilTheSessionEnds() async throws {
        let chat = Chat()
        try await chat.run { world in
            let browser = try await world.browser()
            async let stream = browser.get("live/room/7/updates")
            try await eventually("updates are sent") { chat.questions.load(ordering: .relaxed) > 3 }
            #expect(try await browser.post("sign-out", [:]).status == .seeOther)
            let answer = try await stream
            let questions = chat.questions.load(ordering: .relaxed)
            #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
            #expect(answer.headers[.cacheControl] == "no-store")
            let updates = answer.text.split(separator: "event: page\n")
            #expect((3...questions).contains(updates.count))
            for update in updates {
                #expect(update.hasSuffix("\n\n") && update.contains("71 has read to 220"))
                #expect(update.split(separator: "\n").allSatisfy { $0.hasPrefix("data: ") })
            }
            #expect(try await browser.get("live/room/7/updates").status == .seeOther)
            #expect(chat.questions.load(ordering: .relaxed) == questions)
        }
    }

    @Test func pageOfNothing_isNotFollowed() async throws {
        let chat = Chat()
        try await chat.run { world in
            let answer = try await world.browser().get("live/room/8/updates")
            #expect(answer.status == .ok && answer.text == "")
            #expect(chat.questions.load(ordering: .relaxed) == 1)
        }
    }
}
