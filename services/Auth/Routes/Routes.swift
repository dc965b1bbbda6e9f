import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the auth service.
struct Routes {
    let accounts: Accounts
    let sessions: Sessions
    let profiles: Profiles
    let revocations: RevocationFeed
    let withdrawal: Withdrawal
    let inbox: Inbox
    let ring: KeyRing
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient
    let sms: SMSClient
    let passengers: PassengerClient

    func add(to router: RouterGroup<AppRequestContext>) {
        seatCatcher(router.app(.seatcatcher))
        anlaka(router.app(.anlaka))
        processes(router)
        peoplesSessions(router)
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        router.get("internal/keys", use: KeyRoutes(ring: ring).keys)
        let gateways = GatewayRoutes(sessions: sessions, revocations: revocations)
        router.post("internal/sessions/refresh", use: gateways.refresh)
        router.post("internal/sessions/uses", use: gateways.noteUses)
        router.get("internal/revocations", use: gateways.revocations)
    }

    /// Where people are signed in, below each app's own paths.
    private func peoplesSessions(_ router: RouterGroup<AppRequestContext>) {
        let routes = SessionRoutes(sessions: sessions)
        routes.add(to: router.app(.seatcatcher), at: "user/me/sessions")
        routes.add(to: router.app(.moup), at: "users/sessions")
        routes.add(to: router.app(.anlaka), at: "v1/users/me/sessions")
        routes.add(to: router.app(.culture), at: "v1/users/me/sessions")
        routes.add(to: router.app(.withsuhyeon), at: "api/v1/auth/sessions")
    }

    private func seatCatcher(_ app: RouterGroup<AppRequestContext>) {
        let signIn = SeatCatcherSignInRoutes(accounts: accounts, kakao: kakao, apple: apple)
        app.post("user/authenticate/kakao", use: signIn.kakao)
        app.post("user/authenticate/apple", use: signIn.apple)

        let tokens = SeatCatcherTokenRoutes(sessions: sessions, ring: ring)
        app.post("token/refresh", use: tokens.refresh)
        app.get("token/validate", use: tokens.validate)

        let me = SeatCatcherProfileRoutes(profiles: profiles, passengers: passengers)
        app.signedIn.get("user/me", use: me.show)
        app.signedIn.patch("user/me", use: me.update)
        app.signedIn.delete("user/me", use: SeatCatcherWithdrawalRoutes(withdrawal: withdrawal).withdraw)
    }

    private func anlaka(_ app: RouterGroup<AppRequestContext>) {
        let account = AnlakaAccountRoutes(accounts: accounts)
        app.post("v1/users/validation/email", use: account.checkEmail)
        app.post("v1/users/join", use: account.join)
        app.post("v1/users/login", use: account.signIn)

        let me = AnlakaProfileRoutes(profiles: profiles)
        app.signedIn.get("v1/users/me/profile", use: me.show)

        app.get("v1/auth/refresh", use: AnlakaRefreshRoutes(sessions: sessions).refresh)
    }
}
