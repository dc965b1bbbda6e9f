import ArgumentParser
import FoundationEssentials
import Glibc
import StackKit

/// `stack init`: writes `.env`, the settings of a deployment by compose.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes .env for production: new secrets, and what you know of the outside world.",
        discussion: """
            It is made of .env.example beside docker-compose.yml. Secrets of Madang itself, database passwords and the keys of
            apps are new random ones, unless you give them. On a terminal it asks for each setting that is missing then; Enter
            leaves it out. What is left out is a commented line, and named at the end. An existing .env is never changed.
            Examples:
              stack init                          asks for what it cannot know
              stack init --set PUBLIC_URL=https://api.example.com --set TRUSTED_PROXIES=172.16.0.0/12
              stack init --values providers.env   takes lines such as SMS_KEY=NCS..., in which # begins a comment
              stack init --values - <providers.env
              docker run --rm -it --user "$(id -u)" --volume "$PWD:/madang" madang stack init --in /madang
            Arguments can be seen by other users of the machine while the command runs: give secrets in a file.
            """
    )

    @Option(name: .customLong("in"), help: "The folder with docker-compose.yml and .env.example.")
    var folder = "."

    @Option(name: .customLong("set"), help: "A setting as NAME=value; for several, repeat it.")
    var settings: [String] = []

    @Option(help: "A file with a setting as NAME=value in each line; - for standard input.")
    var values: String?

    func validate() throws {
        for setting in settings where Self.pair(setting) == nil {
            throw ValidationError("'\(setting)' is no setting; write it as NAME=value")
        }
    }

    func run() async throws {
        let path = "\(folder)/.env"
        guard access(path, F_OK) != 0 else { throw EnvironmentFile.exists(path) }
        guard let template = Self.text("\(folder)/.env.example") else {
            throw StackError(
                "\(folder)/.env.example cannot be read; run this in the folder of docker-compose.yml, or name it by --in"
            )
        }
        var file = EnvironmentFile(template: template)
        let given = try lines().map { line in
            guard let pair = Self.pair(line) else { throw StackError("a line of \(values ?? "") is not NAME=value") }
            return pair
        }
        for (name, value) in given + settings.compactMap(Self.pair) { try file.set(name, to: value) }
        try file.generateSecrets()
        if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
            Questions(ask: Self.ask, say: Console.line).complete(&file)
        }
        try file.create(at: path)
        Console.line("\(path) has new secrets, and is readable by you only.")
        if !file.missing.isEmpty { Console.line("To be filled in there, where each is explained:") }
        for setting in file.missing { Console.line("  \(setting.name)") }
        Console.line("Then start everything: docker compose up --detach --scale sandbox=0")
    }

    /// The lines of `--values` that are no comments.
    private func lines() throws -> [String] {
        guard let values else { return [] }
        var lines = values == "-" ? Array(AnyIterator { readLine() }) : []
        if values != "-" {
            guard let text = Self.text(values) else { throw StackError("\(values) cannot be read") }
            lines = text.split(whereSeparator: \.isNewline).map(String.init)
        }
        return lines.filter { !$0.hasPrefix("#") && $0.contains { !$0.isWhitespace } }
    }

    /// The name and the value, without the quotes around it.
    private static func pair(_ text: String) -> (name: String, value: String)? {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return nil }
        let value = text[text.index(after: equals)...]
        let isQuoted = value.count > 1 && value.first == value.last && ["'", "\""].contains(value.first)
        return (String(text[..<equals]), String(isQuoted ? value.dropFirst().dropLast() : value))
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func ask(_ name: String) -> String? {
        print("\(name): ", terminator: "")
        fflush(nil)
        return readLine()
    }
}
