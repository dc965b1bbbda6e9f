import NIOCore
import Testing

@testable import ServiceKit

@Suite struct KeptAnswersTests {
    private struct Unavailable: Error {}

    private let kept = KeptAnswers<String, Int>(limit: 2)

    /// Asks for a key at a version, and makes the answer of another if that is needed.
    private func ask(_ key: String, at version: Int?, made text: String, of made: Int?) async throws -> String {
        String(buffer: try await kept.content(of: key, at: version) { (ByteBuffer(string: text), made) })
    }

    @Test func answer_isMadeAnewForAnotherVersion() async throws {
        #expect(try await ask("a", at: 1, made: "one", of: 1) == "one")
        #expect(try await ask("a", at: 1, made: "anew", of: 1) == "one")
        #expect(try await ask("b", at: 1, made: "other", of: 1) == "other")
        // What is made shows a change that came after the version was read.
        #expect(try await ask("a", at: 2, made: "three", of: 3) == "three")
        #expect(try await ask("a", at: 3, made: "anew", of: 3) == "three")
        #expect(try await ask("a", at: 2, made: "two again", of: 2) == "two again")
    }

    @Test func answerWithoutVersion_isNotKept() async throws {
        #expect(try await ask("a", at: nil, made: "one", of: nil) == "one")
        #expect(try await ask("a", at: nil, made: "two", of: 1) == "two")
        #expect(try await ask("a", at: nil, made: "three", of: nil) == "three")
        #expect(try await ask("a", at: 1, made: "four", of: 1) == "two")
    }

    @Test func failure_keepsWhatWasKept() async throws {
        _ = try await ask("a", at: 1, made: "one", of: 1)
        await #expect(throws: Unavailable.self) { try await kept.content(of: "a", at: 2) { throw Unavailable() } }
        #expect(try await ask("a", at: 1, made: "anew", of: 1) == "one")
    }

    @Test func tooManyAnswers_areDropped() async throws {
        for key in ["a", "b", "c"] { _ = try await ask(key, at: 1, made: key, of: 1) }
        #expect(try await ask("a", at: 1, made: "anew", of: 1) == "anew")
        #expect(try await ask("c", at: 1, made: "anew", of: 1) == "c")
    }
}
