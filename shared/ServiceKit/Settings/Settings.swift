package import Configuration
package import Logging

/// Reads a process's settings and collects all errors in them, so that one start reports every error.
///
/// A setting is named by its environment variable, such as `DATABASE_URL`. An invalid value is an error just like a
/// missing required one; no setting falls back to its default silently.
package struct Settings {
    let reader: ConfigReader
    private(set) var problems: [String] = []
    /// All settings read so far, in order.
    private var declared: [SettingDeclaration] = []
    /// `MADANG_ENV`.
    package private(set) var environment: DeploymentEnvironment = .development

    private init(reader: ConfigReader) {
        self.reader = reader
        self.environment = value(
            "MADANG_ENV",
            default: .development,
            "development or production",
            "production accepts no default secret and no sandbox"
        ) { DeploymentEnvironment(rawValue: $0) }
    }

    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - reader: The source of the values; the process's environment by default.
    ///   - read: Reads the values of the configuration.
    /// - Throws: `SettingsError` naming every missing or invalid variable.
    package static func read<Value>(
        from reader: ConfigReader = ConfigReader(provider: EnvironmentVariablesProvider()),
        _ read: (inout Settings) throws -> Value
    ) throws -> Value {
        var settings = Settings(reader: reader)
        let value = try read(&settings)
        guard settings.problems.isEmpty else { throw SettingsError(problems: settings.problems) }
        return value
    }

    /// All settings that `read` uses, with their meanings and defaults.
    package static func declarations<Value>(
        _ read: (inout Settings) throws -> Value
    ) rethrows -> [SettingDeclaration] {
        var settings = Settings(reader: ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: [:])))
        _ = try read(&settings)
        return settings.declared
    }

    /// Adds a problem; it begins with the name of the setting.
    mutating func report(_ problem: String) {
        problems.append(problem)
    }

    mutating func declare(_ setting: SettingDeclaration) {
        guard !declared.contains(where: { $0.name == setting.name }) else { return }
        declared.append(setting)
    }

    package mutating func string(_ name: String, default standard: String, _ meaning: String) -> String {
        value(name, default: standard, "not empty", meaning) { $0.isEmpty ? nil : $0 }
    }

    /// - Parameter production: The default in production, if it differs.
    package mutating func int(
        _ name: String,
        default standard: Int,
        inProduction production: Int? = nil,
        in range: ClosedRange<Int>,
        _ meaning: String
    ) -> Int {
        let standard = environment == .production ? production ?? standard : standard
        return value(name, default: standard, "a whole number from \(range.lowerBound) to \(range.upperBound)", meaning)
        {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// An optional integer.
    package mutating func optionalInt(_ name: String, in range: ClosedRange<Int>, _ meaning: String) -> Int? {
        value(name, default: nil, "a whole number from \(range.lowerBound) to \(range.upperBound)", meaning) { text in
            // Not nil, which is a valid value here.
            Int(text).flatMap { range.contains($0) ? $0 : nil }.map(Int?.some)
        }
    }

    /// Values separated by commas, with a default in development; production requires different ones.
    package mutating func list(_ name: String, development: [String], _ meaning: String) -> [String] {
        declare(SettingDeclaration(name, meaning, default: development.joined(separator: ","), isRequired: true))
        let given = reader.string(forKey: Self.key(name))?.split(separator: ",").map { String($0).trimmed }
            .filter { !$0.isEmpty }
        guard environment == .production else { return given ?? development }
        guard let given, !given.isEmpty, Set(given).isDisjoint(with: development) else {
            problems.append("\(name) must be set")
            return development
        }
        return given
    }

    /// A value that contains a password, such as a database URL. It has a default in development; production requires a
    /// different value.
    ///
    /// - Parameter isRequired: False if the feature that needs the credential is not enabled.
    package mutating func credential(
        _ name: String,
        development: String,
        isRequired: Bool = true,
        _ meaning: String
    ) -> String {
        declare(SettingDeclaration(name, meaning, default: development, isRequired: isRequired))
        let given = reader.string(forKey: Self.key(name), isSecret: true).flatMap { $0.isEmpty ? nil : $0 }
        if isRequired, environment == .production, given == nil || given == development {
            problems.append("\(name) must be set")
        }
        return given ?? development
    }

    /// The address of an external system: the sandbox in development; required in production.
    package mutating func outside(_ name: String, sandbox: String, _ meaning: String) -> String {
        declare(SettingDeclaration(name, meaning, default: sandbox, isRequired: true))
        if environment == .production, reader.string(forKey: Self.key(name)) == nil {
            problems.append("\(name) must be set")
        }
        return url(name, default: sandbox, meaning)
    }

    /// A duration in seconds.
    package mutating func seconds(
        _ name: String,
        default standard: Double,
        orZero: Bool = false,
        _ meaning: String
    ) -> Duration {
        .seconds(
            value(name, default: standard, "a number of seconds above 0\(orZero ? ", or 0" : "")", meaning) {
                Double($0).flatMap { $0 > 0 || orZero && $0 == 0 ? $0 : nil }
            }
        )
    }

    /// `http://host:port`, or several separated by commas; a trailing slash is removed.
    package mutating func urls(_ name: String, default standard: String, _ meaning: String) -> [String] {
        value(
            name,
            default: Self.urls(standard) ?? [],
            "http(s)://host:port, several joined by commas",
            meaning,
            Self.urls
        )
    }

    /// Like `urls`, but empty if it is not set.
    package mutating func optionalURLs(_ name: String, _ meaning: String) -> [String] {
        value(name, default: [], "http(s)://host:port, several joined by commas", meaning) {
            $0.isEmpty ? [] : Self.urls($0)
        }
    }

    package mutating func url(_ name: String, default standard: String, _ meaning: String) -> String {
        value(name, default: standard, "one http(s)://host:port", meaning) {
            Self.urls($0).flatMap { $0.count == 1 ? $0.first : nil }
        }
    }

    /// A secret. It has a default in development; production requires a different value.
    package mutating func secret(_ name: String, development: String, _ meaning: String) -> String {
        declare(SettingDeclaration(name, meaning, default: development, isRequired: true))
        let given = reader.string(forKey: Self.key(name), isSecret: true)
        guard environment == .production else { return given ?? development }
        guard let given, given != development, given.utf8.count >= 32 else {
            problems.append("\(name) must be set to a secret of its own, 32 characters or longer")
            return development
        }
        return given
    }

    package mutating func logLevel() -> Logger.Level {
        let levels = "trace, debug, info, notice, warning, error or critical"
        return value("LOG_LEVEL", default: .info, levels, levels) { Logger.Level(rawValue: $0) }
    }

    /// A value of any type.
    ///
    /// - Parameters:
    ///   - expectation: Completes "NAME must be …".
    ///   - meaning: The description in `--help`.
    ///   - parse: Returns nil for an invalid value.
    package mutating func value<Value>(
        _ name: String,
        default standard: Value,
        _ expectation: String,
        _ meaning: String,
        shown: String? = nil,
        _ parse: (String) -> Value?
    ) -> Value {
        declare(SettingDeclaration(name, meaning, default: shown ?? SettingDeclaration.text(standard)))
        guard let text = reader.string(forKey: Self.key(name)) else { return standard }
        if let value = parse(text) { return value }
        problems.append("\(name) must be \(expectation)")
        return standard
    }

    static func urls(_ text: String) -> [String]? {
        let urls = text.split(separator: ",").map { url in
            String(url.hasSuffix("/") ? url.dropLast() : url).trimmed
        }
        let good = urls.allSatisfy { url in
            ["http://", "https://"].contains { url.hasPrefix($0) && url.utf8.count > $0.utf8.count }
        }
        return urls.isEmpty || !good ? nil : urls
    }

    static func key(_ name: String) -> ConfigKey {
        ConfigKey(name.lowercased().split(separator: "_").map(String.init))
    }
}

/// The deployment environment. Production accepts no default secret and no sandbox.
package enum DeploymentEnvironment: String, Sendable {
    case development, production
}

/// All errors in a process's settings, as one sentence.
package struct SettingsError: Error, Equatable, CustomStringConvertible {
    package var problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    package var description: String {
        "cannot start: " + problems.joined(separator: "; ")
    }
}

extension String {
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
