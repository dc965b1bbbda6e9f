/// The programs that call each other: the gateway, the services, and `stack` on behalf of operators.
package enum ProgramName: String, Sendable, CaseIterable, Hashable {
    case gateway, auth, seats, workforce, estate, community, chat, payments, notifications, console, stack

    package init(_ service: ServiceName) {
        self =
            switch service {
            case .auth: .auth
            case .seats: .seats
            case .workforce: .workforce
            case .estate: .estate
            case .community: .community
            case .chat: .chat
            case .payments: .payments
            case .notifications: .notifications
            case .console: .console
            }
    }
}
