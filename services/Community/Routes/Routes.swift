import Apps
import Contracts
import Events
import Hummingbird
import ServiceKit

/// The routes of the community service, per app in `Routes+anlaka.swift`, `Routes+culture.swift` and
/// `Routes+withsuhyeon.swift`, and the internal routes for other services.
struct Routes {
    let domain: CommunityDomain
    let inbox: Inbox

    init(_ domain: CommunityDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let apps = AppRouter(router)
        anlaka(apps.app(Anlaka.self))
        culture(apps.app(Culture.self))
        withSuhyeon(apps.app(WithSuhyeon.self))
        attendance(apps.app(Anlaka.self))
        processes(router)
    }

    /// Internal routes for other services.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        router.get("internal/files/:name", use: FileViewRoutes(attachments: domain.attachments).show)
        router.post("internal/companion-posts", use: CompanionViewRoutes(companions: domain.companions).list)
        let circles = SocialGraphRoutes(follows: domain.follows, purchases: domain.purchases)
        router.get("internal/people/:account/circle", use: circles.circle)
        router.get("internal/posts/:post", use: circles.offer)
        let reviews = ReportReviewRoutes(reviews: domain.reportReviews)
        router.get("internal/reports", use: reviews.list)
        router.post("internal/reports/:kind/:id/:decision", use: reviews.decide)
    }
}
