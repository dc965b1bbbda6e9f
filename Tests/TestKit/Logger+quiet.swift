package import Logging

extension Logger {
    /// Writes nothing, and from its first use on neither does any other logger of the process: tests look at answers, and
    /// say themselves what is wrong.
    package static let quiet: Logger = {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        return Logger(label: "test")
    }()
}
