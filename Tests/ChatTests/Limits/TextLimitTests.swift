import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Chat

/// The limits of texts in characters, Unicode scalars and bytes.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct TextLimitTests {
    private var world: ChatWorld { .current }

    /// A character with many combining marks.
    private func marked(_ count: Int) -> String { "e" + String(repeating: "\u{300}", count: count) }

    private func body(_ content: String, clientID: String? = nil) throws -> String {
        let members = ["content": content].merging(clientID.map { ["client_id": $0] } ?? [:]) { first, _ in first }
        return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }

    @Test(.chat(.anlaka)) func contentBeyondItsLimits_isRefused() async throws {
        let room = try await world.room(of: 1, 2)
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
        let fitting = [
            String(repeating: "가", count: 5_000), String(repeating: "😀", count: 5_000), marked(1_000),
            String(repeating: family, count: 2_600),
        ]
        let refused = [
            String(repeating: "가", count: 5_001), marked(120_000), String(repeating: marked(8), count: 5_000),
            String(repeating: family, count: 2_700),
        ]
        for content in fitting {
            let answer = try await world.client(1).send(.post, "/v1/chats/\(room)", json: body(content))
            #expect(answer.status == .ok, "\(content.count) characters")
        }
        let last = try #require(try await world.history(room, 1).last)
        for content in refused {
            for (method, path) in [("POST", ""), ("PATCH", "/messages/\(last.chatID)")] {
                let refusal = try await world.refusal(
                    1,
                    method == "POST" ? .post : .patch,
                    "/v1/chats/\(room)\(path)",
                    json: body(content)
                )
                #expect(refusal.code == 400 && refusal.message.contains("content"), "\(method) \(refusal)")
            }
        }
        #expect(try await world.count("messages") == fitting.count)
    }

    @Test(.chat(.anlaka)) func clientID_isLimitedInScalars() async throws {
        let room = try await world.room(of: 1, 2)
        for (clientID, code) in [(marked(99), 200), (marked(100), 400), (marked(5_000), 400)] as [(String, Int)] {
            let answer = try await world.client(1).send(
                .post,
                "/v1/chats/\(room)",
                json: body("a", clientID: clientID)
            )
            #expect(answer.status.code == code)
        }
    }

    @Test(.chat(.withsuhyeon)) func companionContent_isLimitedInBytes() async throws {
        let (copy, _) = try await world.companionRoom(of: 1, about: 70, by: 9)
        for (content, code) in [(marked(32_000), 200), (marked(33_000), 400)] {
            let path = "/api/v1/chatrooms/\(copy)/messages"
            let answer = try await world.client(1).send(.post, path, json: body(content))
            #expect(answer.status.code == code)
        }
    }

    @Test(.chat(.anlaka)) func table_refusesLargerTexts() async throws {
        let room = try await world.room(of: 1, 2)
        await #expect(throws: PostgresError.self) { try await world.fill(room, with: 1, of: 65_537) }
        try await world.fill(room, with: 1, of: 65_536)
    }
}
