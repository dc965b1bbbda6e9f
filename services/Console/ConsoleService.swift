import Logging
import ServiceKit

/// The console: traces that programs keep, and pages for operators.
///
/// **Owns** the spans of kept traces and what they can be found by, counts of calls between programs, operators' sessions,
/// and a record of what operators have done.
///
/// **Tables** (schema `console`): `spans`, `stories` (first spans), `subjects` (ids by which traces are found); `calls`,
/// `statements`; `invitations`, `sessions`, `acts`.
///
/// It publishes and consumes no events. All programs post spans of the traces that they keep (`Routes/ReportRoutes.swift`)
/// and learn from it which ones others keep (`Domain/KeptTraces.swift`). The gateway's admin port passes `/console` on to
/// `Routes/PageRoutes.swift`. What is in the apps now is asked of seats, chat and estate (`Domain/LiveReader.swift`),
/// orders and comparisons of payments (`Domain/MoneyReader.swift`), payslips of workforce (`Domain/PayReader.swift`), the
/// state of databases of all (`Domain/Services.swift`). The console itself is not traced.
///
/// **What is kept** (`Jobs/Retention.swift`)
///
/// | Table | Bound |
/// |---|---|
/// | `spans`, `stories`, `subjects` | 24 hours, less if they take more than `TRACES_SPACE` |
/// | `calls`, `statements` | 7 days |
/// | `invitations`, `sessions` | 10 minutes, 12 hours |
/// | `acts` | 365 days |
///
/// `Routes/Routes.swift` has all routes; `ConsoleService+build.swift` assembles the service.
@main
struct ConsoleService {
    static func main() async {
        await ServiceHost.run(
            "console",
            "traces of all programs, and pages for operators",
            read: { try ConsoleConfiguration(&$0) },
            build: { try buildConsole($0, logger: $1) }
        )
    }
}
