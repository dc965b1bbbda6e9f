/// The eight services, by the name of their executables, schemas, login roles and log lines.
package enum ServiceName: String, Codable, Sendable, CaseIterable, Hashable {
    case auth, seats, workforce, estate, community, chat, payments, notifications
}
