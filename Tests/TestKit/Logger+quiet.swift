import Glibc
package import Logging
import ServiceKit

extension Logger {
    /// A logger that writes nothing to the output: tests look at answers. From its first use on neither does any other
    /// logger of the process. Warnings and errors go to the file that `MADANG_TEST_LOG` names, if it names one.
    package static let quiet: Logger = {
        let file = getenv("MADANG_TEST_LOG").map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644) }
        LoggingSystem.bootstrap { label in
            guard let file else { return SwiftLogNoOpLogHandler() }
            var handler = JSONLogHandler(label: label) { line in
                let bytes = Array("\(line)\n".utf8)
                write(file, bytes, bytes.count)
            }
            handler.logLevel = .warning
            return handler
        }
        return Logger(label: "test")
    }()
}
