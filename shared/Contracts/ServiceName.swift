/// The services, by the name of their executables, schemas, login roles and log lines.
package enum ServiceName: String, Codable, Sendable, CaseIterable, Hashable {
    case auth, seats, workforce, estate, community, chat, payments, notifications, console

    /// The services that phones call. The console is for operators, at the gateway's admin port.
    package static let ofApps = allCases.filter { $0 != .console }
}
