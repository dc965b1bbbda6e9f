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

    func add(to router: ServiceRouter) {
        anlaka(router.app(Anlaka.self))
        culture(router.app(Culture.self))
        withSuhyeon(router.app(WithSuhyeon.self))
        attendance(router.app(Anlaka.self))
        processes(router)
    }

    /// Internal routes for other services.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        let files = FileViewRoutes(attachments: domain.attachments)
        router.on(.get, "internal/files/:name", from: .estate, use: files.show)
        let companions = CompanionViewRoutes(companions: domain.companions)
        router.on(.post, "internal/companion-posts", from: .chat, use: companions.list)
        let circles = SocialGraphRoutes(follows: domain.follows, purchases: domain.purchases)
        router.on(.get, "internal/people/:account/circle", from: .auth, use: circles.circle)
        router.on(.get, "internal/posts/:post", from: .payments, use: circles.offer)
        let reviews = ReportReviewRoutes(reviews: domain.reportReviews)
        router.on(.get, "internal/reports", from: .stack, use: reviews.list)
        router.on(.post, "internal/reports/:kind/:id/:decision", from: .stack, use: reviews.decide)
    }
}
