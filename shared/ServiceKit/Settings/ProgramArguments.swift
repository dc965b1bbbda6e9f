import Contracts

/// The command-line arguments of a service or the gateway: `--help` and `--version` only, because the environment
/// configures them.
struct ProgramArguments {
    private let arguments: ArraySlice<String>

    init(_ arguments: ArraySlice<String>) {
        self.arguments = arguments
    }

    struct Unknown: Error, CustomStringConvertible {
        var argument: String

        var description: String { "unknown argument \(argument); --help lists the settings" }
    }

    /// The text to print instead of starting; nil without arguments.
    func answer(
        for name: String,
        _ purpose: String,
        settings: @autoclosure () throws -> [SettingDeclaration]
    ) throws -> String? {
        switch arguments.first {
        case nil: return nil
        case "--version": return "\(name) \(ProductVersion.current)\n"
        case "--help", "-h": return try Self.help(name, purpose, settings())
        case let argument?: throw Unknown(argument: argument)
        }
    }

    private static func help(_ name: String, _ purpose: String, _ settings: [SettingDeclaration]) -> String {
        let width = settings.map(\.name.count).max() ?? 0
        let lines = settings.map { setting in
            let space = String(repeating: " ", count: width - setting.name.count)
            let standard = setting.standard.isEmpty ? "" : " (\(setting.standard))"
            return "  \(setting.name)\(space)  \(setting.meaning)\(standard)\(setting.isRequired ? " *" : "")"
        }
        return """
            \(name): \(purpose)

            Usage: \(name) [--help | --version]

            Settings are environment variables; the default is in parentheses. What is marked * must be set when
            MADANG_ENV is production.

            \(lines.joined(separator: "\n"))

            """
    }
}
