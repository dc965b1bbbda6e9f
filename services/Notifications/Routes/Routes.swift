import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the notifications service, an app at a time, and what other processes of ours tell.
struct Routes {
    let domain: NotificationsDomain
    let inbox: Inbox

    init(_ domain: NotificationsDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
    }
}
