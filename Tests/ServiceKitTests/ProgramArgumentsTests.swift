import Contracts
import Testing

@testable import ServiceKit

@Suite struct ProgramArgumentsTests {
    private func answer(_ arguments: String...) throws -> String? {
        try ProgramArguments(arguments[...]).answer(
            for: "seats",
            "live seats",
            settings: Settings.declarations { settings in
                _ = settings.int("SEAT_REWARD", default: 300, in: 0...1000, "credit for a seat")
                _ = settings.secret("SEAT_SECRET", development: "dev", "signs seats")
                _ = settings.optionalInt("SEAT_TTL", in: 0...1, "seconds")
            }
        )
    }

    @Test func noArguments_startTheProgram() throws {
        #expect(try answer() == nil)
    }

    @Test func help_listsEverySettingWithItsDefault() throws {
        let help = try #require(try answer("--help"))
        #expect(help.hasPrefix("seats: live seats\n"))
        #expect(help.contains("  SEAT_REWARD  credit for a seat (300)\n"))
        #expect(help.contains("  SEAT_SECRET  signs seats (dev) *\n"))
        #expect(help.contains("  SEAT_TTL     seconds\n"))
        #expect(try answer("-h") == help)
    }

    @Test func version_isPrinted() throws {
        #expect(try answer("--version") == "seats \(ProductVersion.current)\n")
    }

    @Test func migrate_isForProgramsWithASchema() throws {
        let arguments = ProgramArguments(["--migrate"], hasSchema: true)
        #expect(arguments.onlyMigrates)
        #expect(try arguments.answer(for: "seats", "live seats", settings: []) == nil)
        #expect(!ProgramArguments([], hasSchema: true).onlyMigrates)
        #expect(!ProgramArguments(["--migrate"]).onlyMigrates)
        #expect(throws: ProgramArguments.Unknown.self) { try answer("--migrate") }
        let help = ProgramArguments(["--help"], hasSchema: true)
        #expect(try help.answer(for: "seats", "live seats", settings: [])?.contains("| --migrate]") == true)
        #expect(try answer("--help")?.contains("migrate") == false)
    }

    @Test func unknownArgument_isRefusedByName() throws {
        let error = #expect(throws: ProgramArguments.Unknown.self) { try answer("--port") }
        #expect(error?.description == "unknown argument --port; --help lists the settings")
    }
}
