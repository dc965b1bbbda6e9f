import Testing

@testable import Sandbox

@Suite struct FCMMessagesTests {
    private static func message(_ token: String) throws -> FCMMessage {
        let body = Array(#"{"message": {"token": "\#(token)"}}"#.utf8)
        return FCMMessage(try FCMContent(parsing: body), project: "moup", body: body)
    }

    @Test func newestMessages_areKept() throws {
        let messages = FCMMessages(limit: 3)
        for token in ["a", "b", "a", "c", "b"] { messages.add(try Self.message(token)) }
        #expect(messages.newest(10).map(\.target) == [.token("b"), .token("c"), .token("a")])
        #expect(messages.newest(2).map(\.target) == [.token("b"), .token("c")])
        #expect(messages.newest(10, to: "a").count == 1)
        #expect(messages.count == (3, 3))
        messages.forget()
        #expect(messages.count == (0, 0))
    }

    @Test func messageIDs_areUnique() throws {
        let ids = try (0..<1000).map { _ in try Self.message("a").id }
        #expect(Set(ids).count == 1000)
    }
}
