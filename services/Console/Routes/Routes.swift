import Contracts
import Hummingbird
import ServiceKit

/// The routes of the console: for programs, for operators at the command line, and the pages.
struct Routes {
    let domain: ConsoleDomain

    init(_ domain: ConsoleDomain) { self.domain = domain }

    func add(to router: ServiceRouter) {
        let reporters = Set(ServiceName.ofApps.map(ProgramName.init)).union([.gateway])
        let reports = ReportRoutes(domain: domain)
        router.on(.post, "internal/traces", from: reporters, use: reports.takeSpans)
        router.on(.get, "internal/traces/kept", from: reporters, use: reports.kept)
        router.on(.post, "internal/calls", from: reporters, use: reports.takeCalls)
        router.on(.post, "internal/console-invitations", from: .stack, use: reports.invite)

        let sessions = SessionRoutes(operators: domain.operators)
        router.on(.get, "internal/console", from: .gateway) { _, _ in Response.seeOther("now") }
        router.on(.get, "internal/console/sign-in", from: .gateway, use: sessions.show)
        router.on(.post, "internal/console/sign-in", from: .gateway, use: sessions.signIn)
        router.on(.post, "internal/console/sign-out", from: .gateway, use: sessions.signOut)
        router.on(.get, "internal/console/style.css", from: .gateway) { _, _ in
            Layout.response(
                String(decoding: PackageResources.style_css, as: UTF8.self),
                type: "text/css; charset=utf-8"
            )
        }
        router.on(.get, "internal/console/console.js", from: .gateway) { _, _ in
            Layout.response(
                String(decoding: PackageResources.console_js, as: UTF8.self),
                type: "text/javascript; charset=utf-8"
            )
        }

        let pages = PageRoutes(domain: domain)
        router.on(.get, "internal/console/now", from: .gateway, use: pages.now)
        router.on(.get, "internal/console/now/updates", from: .gateway, use: pages.nowUpdates)
        router.on(.get, "internal/console/story", from: .gateway, use: pages.search)
        router.on(.get, "internal/console/story/:trace", from: .gateway, use: pages.story)
        router.on(.get, "internal/console/events", from: .gateway, use: pages.events)
        let people = PeopleRoutes(domain: domain)
        router.on(.get, "internal/console/people", from: .gateway, use: people.show)
        router.on(.post, "internal/console/people/restore", from: .gateway, use: people.restore)
        router.on(.post, "internal/console/people/end-session", from: .gateway, use: people.endSession)
        live(router)
        let outside = OutsideRoutes(domain: domain)
        router.on(.get, "internal/console/outside", from: .gateway, use: outside.show)
        router.on(.post, "internal/console/outside/faults", from: .gateway, use: outside.setFault)
        router.on(.post, "internal/console/outside/webhook", from: .gateway, use: outside.sendWebhook)
        router.on(.get, "internal/console/data", from: .gateway, use: DataRoutes(domain: domain).show)
        let api = APIRoutes(domain: domain)
        router.on(.get, "internal/console/api", from: .gateway, use: api.list)
        router.on(.get, "internal/console/api/:app", from: .gateway, use: api.list)
        router.on(.get, "internal/console/api/:app/:operation", from: .gateway, use: api.show)
        router.on(.post, "internal/console/api/:app/:operation", from: .gateway, use: api.send)
        router.on(.get, "internal/console/acts", from: .gateway, use: pages.acts)
        router.on(.post, "internal/console/events/:service/:number/retry", from: .gateway, use: pages.retryEvent)
        addMoney(to: router)
    }

    /// Orders, refunds, comparisons with PortOne, payslips.
    private func addMoney(to router: ServiceRouter) {
        let money = MoneyRoutes(domain: domain)
        router.on(.get, "internal/console/money", from: .gateway, use: money.show)
        router.on(.get, "internal/console/money/orders/:id", from: .gateway, use: money.order)
        router.on(.post, "internal/console/money/orders/:id/refund", from: .gateway, use: money.refund)
        router.on(.get, "internal/console/money/differences", from: .gateway, use: money.differences)
        router.on(.post, "internal/console/money/compare", from: .gateway, use: money.compare)
        router.on(
            .get,
            "internal/console/money/payslip",
            from: .gateway,
            use: PayslipRoutes(domain: domain).show
        )
    }

    /// What is in the apps now.
    private func live(_ router: ServiceRouter) {
        let live = LiveRoutes(domain: domain)
        router.on(.get, "internal/console/live", from: .gateway, use: live.overview)
        router.on(.get, "internal/console/live/updates", from: .gateway, use: live.overviewUpdates)
        router.on(.get, "internal/console/live/train", from: .gateway, use: live.findTrain)
        router.on(.get, "internal/console/live/train/:train/:car", from: .gateway, use: live.train)
        router.on(.get, "internal/console/live/train/:train/:car/updates", from: .gateway, use: live.trainUpdates)
        router.on(.get, "internal/console/live/room", from: .gateway, use: live.findRoom)
        router.on(.get, "internal/console/live/room/:room", from: .gateway, use: live.room)
        router.on(.get, "internal/console/live/room/:room/updates", from: .gateway, use: live.roomUpdates)
        router.on(.get, "internal/console/live/map", from: .gateway, use: live.map)
    }
}
