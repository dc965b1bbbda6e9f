package import Contracts
import ServiceKit

/// Which programs call which internal routes: what the services' routes accept is compared with it, and what the source
/// calls. The routes that all services share are not in it: events, the outbox, the state of the database and the API
/// document.
package enum InternalCallTable {
    package struct Call: Sendable {
        package var service: ServiceName
        /// `GET /internal/keys`.
        package var route: String
        package var callers: Set<ProgramName>
        /// What the callers' source has, and no other program's.
        package var spelling: String

        init(_ service: ServiceName, _ route: String, _ callers: Set<ProgramName>, _ spelling: String) {
            self.service = service
            self.route = route
            self.callers = callers
            self.spelling = spelling
        }
    }

    package static let calls = [
        Call(.auth, "GET /internal/keys", [.gateway, .seats], #""/internal/keys""#),
        Call(.auth, "POST /internal/sessions/refresh", [.gateway], "AuthAPI.Refresh.path"),
        Call(.auth, "POST /internal/sessions/uses", [.gateway], "AuthAPI.Uses.path"),
        Call(.auth, "GET /internal/revocations", [.gateway], "AuthAPI.Revocations.path"),
        Call(.auth, "GET /internal/tickets/{ticket}", [.chat], "AuthAPI.Ticket.path"),
        Call(
            .auth,
            "GET /internal/accounts/{account}/blockers",
            [.community, .chat, .notifications],
            "AuthAPI.Blockers.path"
        ),
        Call(.auth, "GET /internal/members/{account}", [.workforce, .notifications], "AuthAPI.Member.path"),
        // Of the read model in Profiles.
        Call(
            .auth,
            "GET /internal/profiles/{account}",
            [.estate, .community, .chat, .payments, .notifications],
            "People(of:"
        ),
        Call(.auth, "GET /internal/people/{publicId}", [.community, .chat], ".account(publicID:"),
        Call(.auth, "GET /internal/operators/people", [.console], "OperatorsAPI.path"),
        Call(.auth, "POST /internal/operators/people/restore", [.console], "OperatorsAPI.Restore.path"),
        Call(.auth, "POST /internal/operators/sessions/end", [.console], "OperatorsAPI.End.path"),
        Call(.seats, "GET /internal/passengers/{account}", [.auth], "SeatsAPI.Passenger.path"),
        Call(.seats, "GET /internal/operators/trains", [.console], "OperatorsAPI.Trains.path"),
        Call(.seats, "GET /internal/operators/cars", [.console], "OperatorsAPI.Car.path"),
        Call(.estate, "GET /internal/listings", [.payments], "EstateAPI.Listings.path"),
        Call(.estate, "POST /internal/listings", [.stack], "EstateAPI.Import.path"),
        Call(.estate, "GET /internal/operators/map", [.console], "OperatorsAPI.Map.path"),
        Call(.community, "GET /internal/files/{name}", [.estate], "CommunityAPI.File.path"),
        Call(.community, "POST /internal/companion-posts", [.chat], "CommunityAPI.CompanionPosts.path"),
        Call(.community, "GET /internal/people/{account}/circle", [.auth], "CommunityAPI.Circle.path"),
        Call(.community, "GET /internal/posts/{post}", [.payments], "CommunityAPI.Offer.path"),
        Call(.community, "GET /internal/reports", [.stack], "ReportsAPI.path)"),
        Call(.community, "POST /internal/reports/{kind}/{id}/{decision}", [.stack], "ReportsAPI.path(kind"),
        Call(.chat, "GET /internal/rooms", [.community], "ChatAPI.Room.path"),
        Call(.chat, "GET /internal/operators/rooms", [.console], "OperatorsAPI.Rooms.path"),
        Call(.chat, "GET /internal/operators/rooms/{room}", [.console], "OperatorsAPI.Room.path"),
        Call(
            .payments,
            "POST /internal/payments/{impUid}/refunds",
            [.stack, .console],
            "OperatorsAPI.Refund.path"
        ),
        Call(.payments, "GET /internal/comparisons/{day}", [.stack, .console], "OperatorsAPI.Comparison.path"),
        Call(.payments, "POST /internal/comparisons/{day}", [.stack, .console], "OperatorsAPI.Comparison.path"),
        Call(.payments, "GET /internal/operators/orders", [.console], "OperatorsAPI.Orders.path"),
        Call(.payments, "GET /internal/operators/orders/{id}", [.console], "OperatorsAPI.OrderDetails.path"),
        Call(.payments, "GET /internal/operators/refunds", [.console], "OperatorsAPI.Refunds.path"),
        Call(.payments, "GET /internal/operators/differences", [.console], "OperatorsAPI.Comparisons.path"),
        Call(.workforce, "GET /internal/operators/workers", [.console], "OperatorsAPI.Memberships.path"),
        Call(.workforce, "GET /internal/operators/payslips", [.console], "OperatorsAPI.Payslip.path"),
        Call(.notifications, "POST /internal/announcements", [.stack], #""/internal/announcements""#),
        Call(.console, "POST /internal/console-invitations", [.stack], "ConsoleAPI.Invitation.path"),
    ]

    /// What differs between the routes of a service and the table.
    static func differences(from routes: [InternalRoute], of service: ServiceName) -> [String] {
        let shared = ["/internal/events", "/internal/outbox", OperatorsAPI.Data.path]
        let mounted = routes.filter { route in !shared.contains { route.path.hasPrefix($0) } }.map { route in
            line("\(route.method) \(route.path)", route.callers)
        }
        let expected = calls.filter { $0.service == service }.map { line($0.route, $0.callers) }
        return Set(mounted).symmetricDifference(expected).sorted().map { "\($0): in the routes or the table only" }
    }

    private static func line(_ route: String, _ callers: Set<ProgramName>) -> String {
        "\(route) from \(callers.map(\.rawValue).sorted().joined(separator: ", "))"
    }
}
