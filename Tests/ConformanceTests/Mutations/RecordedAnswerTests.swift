import Contracts
import FoundationEssentials
import Testing
import Values

@testable import Conformance

/// Answers that tests have recorded are as the contracts say, but for tokens, which recordings cut.
struct RecordedAnswerTests {
    @Test(arguments: App.allCases)
    func recordedAnswers_conform(_ app: App) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "gateway/Documentation/Examples/\(app.rawValue).json")
        let examples = try JSONTree(parsing: Data(contentsOf: file))
        var count = 0
        for call in try Contract(of: app).calls where call.kind == .rest {
            let example = examples.members.first { Self.key($0.name) == Self.key(call.name) }
            guard let body = example?.value["response"]?["body"] else { continue }
            count += 1
            let deviations = ShapeCheck.deviations(Array(body.text.utf8), from: call.response)
            #expect(deviations.filter { !$0.came.contains("…") } == [], "\(call.name)")
        }
        #expect(count > 15)
    }

    private static func key(_ name: String) -> String {
        name.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : String($0) }.joined(separator: "/")
    }
}
