import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the community service, an app at a time: `Routes+anlaka.swift`, `Routes+culture.swift`,
/// `Routes+withsuhyeon.swift`, and what other processes of ours ask.
struct Routes {
    let domain: CommunityDomain
    let inbox: Inbox

    init(_ domain: CommunityDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        anlaka(router.app(.anlaka))
        culture(router.app(.culture))
        withSuhyeon(router.app(.withsuhyeon))
        attendance(router.app(.anlaka))
        processes(router)
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        router.get("internal/files/:name", use: FileViewRoutes(attachments: domain.attachments).show)
        router.post("internal/companion-posts", use: CompanionViewRoutes(companions: domain.companions).list)
        let circles = CircleRoutes(follows: domain.follows, purchases: domain.purchases)
        router.get("internal/people/:account/circle", use: circles.circle)
        router.get("internal/posts/:post", use: circles.offer)
    }
}
