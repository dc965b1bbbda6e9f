package import Configuration
package import Logging

/// Reads a process's settings, and gathers everything that is wrong with them, so that one start tells all.
///
/// A setting goes by the name of its environment variable, `DATABASE_URL`. A value that is there but not of its kind is a
/// problem like a value that is missing: no setting falls back silently.
package struct Settings {
    private let reader: ConfigReader
    private var problems: [String] = []
    /// `MADANG_ENV`.
    package private(set) var environment: DeploymentEnvironment = .development

    private init(reader: ConfigReader) {
        self.reader = reader
        self.environment = value("MADANG_ENV", default: .development, "development or production") {
            DeploymentEnvironment(rawValue: $0)
        }
    }

    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - reader: where values come from; the process's environment by default.
    ///   - read: takes the values it needs.
    /// - Throws: `SettingsError` naming every variable that is missing or wrong.
    package static func read<Value>(
        from reader: ConfigReader = ConfigReader(provider: EnvironmentVariablesProvider()),
        _ read: (inout Settings) throws -> Value
    ) throws -> Value {
        var settings = Settings(reader: reader)
        let value = try read(&settings)
        guard settings.problems.isEmpty else { throw SettingsError(problems: settings.problems) }
        return value
    }

    package mutating func string(_ name: String, default standard: String) -> String {
        value(name, default: standard, "not empty") { $0.isEmpty ? nil : $0 }
    }

    package mutating func int(_ name: String, default standard: Int, in range: ClosedRange<Int>) -> Int {
        value(name, default: standard, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A whole number that need not be given.
    package mutating func optionalInt(_ name: String, in range: ClosedRange<Int>) -> Int? {
        value(name, default: nil, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Values joined by commas: have a default in development, and must be given in production.
    package mutating func list(_ name: String, development: [String]) -> [String] {
        let given = reader.string(forKey: Self.key(name))?.split(separator: ",").map { String($0).trimmed }
            .filter { !$0.isEmpty }
        guard environment == .production else { return given ?? development }
        guard let given, !given.isEmpty else {
            problems.append("\(name) must be set")
            return development
        }
        return given
    }

    /// A value that holds a password, such as a database's URL: has a default in development, and must be given, and be
    /// another, in production.
    package mutating func credential(_ name: String, development: String) -> String {
        let given = reader.string(forKey: Self.key(name), isSecret: true).flatMap { $0.isEmpty ? nil : $0 }
        if environment == .production, given == nil || given == development { problems.append("\(name) must be set") }
        return given ?? development
    }

    /// The address of a system outside: the sandbox in development, and must be given in production.
    package mutating func outside(_ name: String, sandbox: String) -> String {
        if environment == .production, reader.string(forKey: Self.key(name)) == nil {
            problems.append("\(name) must be set")
        }
        return url(name, default: sandbox)
    }

    /// A duration that is written in seconds.
    package mutating func seconds(_ name: String, default standard: Double) -> Duration {
        .seconds(
            value(name, default: standard, "a number of seconds above 0") { Double($0).flatMap { $0 > 0 ? $0 : nil } }
        )
    }

    /// `http://host:port`, or several joined by commas; a trailing slash is dropped.
    package mutating func urls(_ name: String, default standard: String) -> [String] {
        value(name, default: Self.urls(standard) ?? [], "http(s)://host:port, several joined by commas", Self.urls)
    }

    /// As `urls`; none when it is not given.
    package mutating func optionalURLs(_ name: String) -> [String] {
        value(name, default: [], "http(s)://host:port, several joined by commas") { $0.isEmpty ? [] : Self.urls($0) }
    }

    package mutating func url(_ name: String, default standard: String) -> String {
        value(name, default: standard, "one http(s)://host:port") {
            Self.urls($0).flatMap { $0.count == 1 ? $0.first : nil }
        }
    }

    /// A secret: has a default in development, and must be given, and be another, in production.
    package mutating func secret(_ name: String, development: String) -> String {
        let given = reader.string(forKey: Self.key(name), isSecret: true)
        guard environment == .production else { return given ?? development }
        guard let given, given != development, given.utf8.count >= 32 else {
            problems.append("\(name) must be set to a secret of its own, 32 characters or longer")
            return development
        }
        return given
    }

    package mutating func logLevel() -> Logger.Level {
        value("LOG_LEVEL", default: .info, "trace, debug, info, notice, warning, error or critical") {
            Logger.Level(rawValue: $0)
        }
    }

    /// A value of any kind.
    ///
    /// - Parameters:
    ///   - expectation: completes "NAME must be …".
    ///   - parse: nil for what is not of the kind.
    package mutating func value<Value>(
        _ name: String,
        default standard: Value,
        _ expectation: String,
        _ parse: (String) -> Value?
    ) -> Value {
        guard let text = reader.string(forKey: Self.key(name)) else { return standard }
        if let value = parse(text) { return value }
        problems.append("\(name) must be \(expectation)")
        return standard
    }

    private static func urls(_ text: String) -> [String]? {
        let urls = text.split(separator: ",").map { url in
            String(url.hasSuffix("/") ? url.dropLast() : url).trimmed
        }
        let good = urls.allSatisfy { url in
            ["http://", "https://"].contains { url.hasPrefix($0) && url.utf8.count > $0.utf8.count }
        }
        return urls.isEmpty || !good ? nil : urls
    }

    private static func key(_ name: String) -> ConfigKey {
        ConfigKey(name.lowercased().split(separator: "_").map(String.init))
    }
}

/// Where a process runs. Production accepts no default secret and no sandbox.
package enum DeploymentEnvironment: String, Sendable {
    case development, production
}

/// Everything that is wrong with a process's settings, as one sentence.
package struct SettingsError: Error, CustomStringConvertible {
    package var problems: [String]

    package var description: String {
        "cannot start: " + problems.joined(separator: "; ")
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
