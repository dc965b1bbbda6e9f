import Contracts
import FoundationEssentials
import Testing
import Values

@testable import Conformance

/// The recorded answers of all calls, changed member by member: what the apps' clients notice is what the contracts say.
struct MutationTests {
    private static func run(_ app: App) throws -> MutationRun {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "gateway/Documentation/Examples/\(app.rawValue).json")
        return try MutationRun(of: app, examples: Data(contentsOf: file))
    }

    /// What recordings may have lost since: they are made anew from time to time.
    @Test(arguments: zip(App.allCases, [250, 1100, 1700, 750, 600]))
    func everyMismatch_hasAReason(_ app: App, _ least: Int) throws {
        let run = try Self.run(app)
        #expect(run.mutants > least)
        #expect(run.unread == [])
        #expect(run.unexplained.isEmpty, "\(run.unexplained)")
    }

    @Test func everyReason_isNeeded() throws {
        let used = try App.allCases.flatMap { try Self.run($0).mismatches.compactMap(\.laxity) }
        for laxity in try Laxity.all() { #expect(used.contains(laxity), "\(laxity)") }
    }

    /// With Suhyeon's calls without a result are the only ones of which the app reads no JSON.
    @Test(arguments: App.allCases)
    func everyCallThatTheAppReads_hasADecoder(_ app: App) throws {
        for call in try Contract(of: app).calls where call.isUsed && call.kind == .rest && !call.response.types.isEmpty
        {
            let result = call.response.types.compactMap { type -> FieldType? in
                guard case .object(let object) = type else { return nil }
                return object.fields.first { $0.name == "result" }?.type
            }
            #expect(AppDecoders.decoder(of: call) != nil || result == [.null], "\(call.name)")
        }
    }

    @Test func changes_areOfEachKind() throws {
        let type = FieldType.object(
            ObjectType(fields: [
                .init(name: "a", type: .text(.any), presence: .required),
                .init(name: "b", type: .array(.number), presence: .optional),
            ])
        )
        let all = Mutant.all(of: try JSONTree(parsing: #"{"a":"x","b":[1],"c":true}"#.utf8), type)
        func find(_ field: String, _ kind: Mutant.Kind) -> (answer: String, breaks: Bool)? {
            all.first { $0.field == field && $0.kind == kind }.map { ($0.answer.text, $0.breaks) }
        }
        #expect(try #require(find("a", .drop)) == (#"{"b":[1],"c":true}"#, true))
        #expect(try #require(find("a", .rename)) == (#"{"aOther":"x","b":[1],"c":true}"#, true))
        #expect(try #require(find("b", .null)) == (#"{"a":"x","b":null,"c":true}"#, false))
        #expect(try #require(find("b[]", .retype)) == (#"{"a":"x","b":["7"],"c":true}"#, true))
        #expect(try #require(find("c", .retype)) == (#"{"a":"x","b":[1],"c":"7"}"#, false))
        #expect(try #require(find("", .reorder)) == (#"{"c":true,"b":[1],"a":"x"}"#, false))
    }
}
