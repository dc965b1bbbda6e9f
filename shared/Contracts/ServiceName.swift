/// The eight services, under the names that their executables, schemas, login roles and log lines carry.
package enum ServiceName: String, Codable, Sendable, CaseIterable, Hashable {
    case auth, seats, workforce, estate, community, chat, payments, notifications
}
