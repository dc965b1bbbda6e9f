import FoundationEssentials
import Testing

@testable import Console

struct StoryTests {
    private func story(_ spans: [StoredSpan]) throws -> Story {
        try #require(Story(UUID(), spans.map { ("chat", $0) }))
    }

    @Test func spans_areATree_inTheOrderOfTime() throws {
        let story = try story([
            StoredSpan(3, under: 1, name: "second", start: 5),
            StoredSpan(2, under: 1, name: "first", start: 1, took: 3),
            StoredSpan(4, under: 2, name: "inside", start: 2), StoredSpan(1, name: "request", took: 9),
        ])
        #expect(story.lines.map(\.span.name) == ["request", "first", "inside", "second"])
        #expect(story.lines.map(\.depth) == [0, 1, 2, 1])
        #expect(story.duration == 9_000_000 && story.orphans == 0)
        #expect(story.lines[3].offset == 5_000_000)
    }

    @Test func repeatedSpans_areShownOnce() throws {
        #expect(try story([StoredSpan(1), StoredSpan(2, under: 1), StoredSpan(1)]).lines.count == 2)
    }

    @Test func spanWithoutItsParent_isCounted() throws {
        let story = try story([StoredSpan(1), StoredSpan(3, under: 2, start: 1)])
        #expect(story.orphans == 1 && story.lines.map(\.depth) == [0, 0])
    }

    /// No program makes such spans, and a page must show them all the same.
    @Test func spansThatEncloseEachOther_areShownOnce() throws {
        let story = try story([
            StoredSpan(1, under: 2), StoredSpan(2, under: 1), StoredSpan(3, under: 3), StoredSpan(4, under: 2),
        ])
        #expect(Set(story.lines.map(\.span.spanId)).count == 4 && story.lines.count == 4)
    }

    @Test func chainOf50000Spans_isATree() throws {
        let story = try story((1...50_000).map { StoredSpan($0, under: $0 == 1 ? nil : $0 - 1) })
        #expect(story.lines.count == 50_000)
        #expect(story.lines.last?.depth == 40)
    }

    @Test func refusal_namesRuleAndValue() throws {
        let story = try story([
            StoredSpan(1, ["error.type": "tooMany", "madang.problem.message": "5 of 5 rooms"]),
            StoredSpan(2, under: 1, ["madang.constraint": "rooms_owner_key", "error.type": "refused"]), StoredSpan(3),
        ])
        #expect(story.refusals.map(\.code) == ["tooMany", "rooms_owner_key"])
        #expect(story.refusals.map(\.message) == ["5 of 5 rooms", "span"])
    }

    @Test func noSpans_areNoStory() {
        #expect(Story(UUID(), []) == nil)
    }
}
