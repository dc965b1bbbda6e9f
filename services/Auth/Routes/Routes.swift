import Contracts
import Hummingbird
import ServiceHost

/// The URL map of the auth service.
struct Routes {
    let accounts: Accounts
    let sessions: Sessions
    let profiles: Profiles
    let revocations: RevocationFeed
    let withdrawal: Withdrawal
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
    }

    /// What gateways ask.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        router.get("internal/keys", use: KeyRoutes(ring: ring).keys)
        let gateways = GatewayRoutes(sessions: sessions, revocations: revocations)
        router.post("internal/sessions/refresh", use: gateways.refresh)
        router.post("internal/sessions/uses", use: gateways.noteUses)
        router.get("internal/revocations", use: gateways.revocations)
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
