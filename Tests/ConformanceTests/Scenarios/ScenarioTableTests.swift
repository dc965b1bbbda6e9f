import Contracts
import FoundationEssentials
import Testing

@testable import Conformance

/// The scenarios as text: whether each call of each contract is in one.
struct ScenarioTableTests {
    private static let folders: [App: [String]] = [
        .seatcatcher: ["SeatCatcher"], .moup: ["MOUP"], .anlaka: ["SeSAC"], .culture: ["SeSAC"],
        .withsuhyeon: ["WithSuhyeon"],
    ]

    private static func source(of app: App) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let scenarios = root.appending(path: "shared/Tools/Conformance/Scenarios")
        var text = ""
        for folder in folders[app] ?? [] {
            let path = scenarios.appending(path: folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: path.path()).sorted() {
                text += String(decoding: try Data(contentsOf: path.appending(path: file)), as: UTF8.self)
            }
        }
        return text
    }

    /// The last part of a call's path that tells it apart, as scenarios write it, behind a name for the rest.
    private static func endings(of call: ContractCall) -> [String] {
        let segments = call.path.split(separator: "/", omittingEmptySubsequences: false)
        // One whose path begins with a variable is known by a name in it.
        if call.path.hasPrefix("/{") { return segments.filter { $0.count > 8 && !$0.hasPrefix("{") }.map(String.init) }
        return segments.indices.map { segments[$0...].joined(separator: "/") }.filter { !$0.isEmpty }
    }

    @Test(arguments: App.allCases)
    func everyCall_hasAScenarioOrAReason(_ app: App) throws {
        let text = try Self.source(of: app)
        let reasons = Unasked.reasons(of: app)
        for call in try Contract(of: app).calls where reasons[call.name] == nil {
            let isThere = Self.endings(of: call).contains { text.contains($0) }
            #expect(isThere, "\(app.rawValue): \(call.name) is in no scenario and has no reason")
        }
    }

    @Test(arguments: App.allCases)
    func reasons_areOfCallsThatExist(_ app: App) throws {
        let contract = try Contract(of: app)
        for name in Unasked.reasons(of: app).keys { #expect(contract[name] != nil, "\(name)") }
    }

    @Test(arguments: App.allCases)
    func wholeNames_areOfTheContract(_ app: App) throws {
        let contract = try Contract(of: app)
        let own = Self.folders[app] ?? []
        let others = try App.allCases.filter { Self.folders[$0] == own }.map { try Contract(of: $0) }
        let names = try Self.source(of: app).matches(of: /"((?:GET|POST|PUT|PATCH|DELETE) \/[^"\\]*)"/).map {
            String($0.1)
        }
        #expect(names.count > 5)
        for name in names { #expect(([contract] + others).contains { $0[name] != nil }, "\(name)") }
    }
}
