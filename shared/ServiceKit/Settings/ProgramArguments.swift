import Contracts

/// The command-line arguments of a service or the gateway: what else it does than run as the environment configures it.
struct ProgramArguments {
    private let arguments: ArraySlice<String>
    /// Whether the program has a schema in a database.
    private let hasSchema: Bool

    init(_ arguments: ArraySlice<String>, hasSchema: Bool = false) {
        self.arguments = arguments
        self.hasSchema = hasSchema
    }

    /// Whether the program ends when its schema is up to date.
    var onlyMigrates: Bool { hasSchema && arguments.first == "--migrate" }

    struct Unknown: Error, CustomStringConvertible {
        var argument: String

        var description: String { "unknown argument \(argument); --help lists the settings" }
    }

    /// The text to print instead of starting; nil if the program starts.
    func answer(
        for name: String,
        _ purpose: String,
        settings: @autoclosure () throws -> [SettingDeclaration]
    ) throws -> String? {
        switch arguments.first {
        case nil: return nil
        case "--version": return "\(name) \(ProductVersion.current)\n"
        case "--help", "-h": return try help(name, purpose, settings())
        case "--migrate" where hasSchema: return nil
        case let argument?: throw Unknown(argument: argument)
        }
    }

    private func help(_ name: String, _ purpose: String, _ settings: [SettingDeclaration]) -> String {
        let width = settings.map(\.name.count).max() ?? 0
        let lines = settings.map { setting in
            let space = String(repeating: " ", count: width - setting.name.count)
            let standard = setting.standard.isEmpty ? "" : " (\(setting.standard))"
            return "  \(setting.name)\(space)  \(setting.meaning)\(standard)\(setting.isRequired ? " *" : "")"
        }
        return """
            \(name): \(purpose)

            Usage: \(name) [--help | --version\(hasSchema ? " | --migrate" : "")]

            \(hasSchema ? "With --migrate it applies the migrations of its schema, which it does at each start, and ends.\n\n" : "")\
            Settings are environment variables; the default is in parentheses. What is marked * must be set when
            MADANG_ENV is production.

            \(lines.joined(separator: "\n"))

            """
    }
}
