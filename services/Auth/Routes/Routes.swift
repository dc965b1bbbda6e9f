import Contracts
import Files
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the auth service.
struct Routes {
    let accounts: Accounts
    let sessions: Sessions
    let profiles: Profiles
    let people: People
    let images: ProfileImages
    let graph: SocialGraphClient
    let revocations: RevocationFeed
    let withdrawal: Withdrawal
    let notices: ProviderNotices
    let inbox: Inbox
    let ring: KeyRing
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient
    let sms: SMSClient
    let members: Members
    let companions: Companions
    let codes: PhoneCodes
    let blocked: BlockedNumbers
    let tickets: Tickets
    let passengers: PassengerClient

    func add(to router: RouterGroup<AppRequestContext>) {
        seatCatcher(router.app(.seatcatcher))
        anlaka(router.app(.anlaka))
        culture(router.app(.culture))
        profileImages(router)
        moup(router.app(.moup))
        withSuhyeon(router.app(.withsuhyeon))
        processes(router)
        peoplesSessions(router)
        for app in App.allCases where app != .culture {
            NoticeRoutes(notices: notices, app: app).add(to: router.app(app))
        }
    }

    /// What other processes of ours ask and tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        router.get("internal/keys", use: KeyRoutes(ring: ring).keys)
        let gateways = GatewayRoutes(sessions: sessions, revocations: revocations)
        router.post("internal/sessions/refresh", use: gateways.refresh)
        router.post("internal/sessions/uses", use: gateways.noteUses)
        router.get("internal/revocations", use: gateways.revocations)
        let others = CompanionRoutes(tickets: tickets, blocked: blocked)
        router.get("internal/tickets/:ticket", use: others.holder)
        router.get("internal/accounts/:account/blockers", use: others.blockers)
        router.get("internal/members/:account", use: MemberRoutes(members: members).show)
        let profiles = OthersProfileRoutes(people: people)
        router.get("internal/profiles/:account", use: profiles.show)
        router.get("internal/people/:publicId", use: profiles.find)
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

        let social = AnlakaSocialRoutes(accounts: accounts, kakao: kakao, apple: apple)
        app.post("v1/users/login/kakao", use: social.kakao)
        app.post("v1/users/login/apple", use: social.apple)

        let me = AnlakaProfileRoutes(profiles: profiles, images: images)
        app.signedIn.get("v1/users/me/profile", use: me.show)
        app.signedIn.put("v1/users/me/profile", use: me.update)
        app.signedIn.post("v1/users/profile/image", use: me.upload)

        let others = AnlakaPeopleRoutes(people: people)
        app.signedIn.get("v1/users/search", use: others.search)
        app.signedIn.get("v1/users/:userId/profile", use: others.show)

        app.get("v1/auth/refresh", use: AnlakaRefreshRoutes(sessions: sessions).refresh)
        app.signedIn.post("v1/users/logout", use: AnlakaSignOutRoutes(sessions: sessions).signOut)
        app.signedIn.delete("v1/users/me", use: AnlakaWithdrawalRoutes(withdrawal: withdrawal).withdraw)
        app.get("v1/common", use: AnlakaCommonRoutes().show)
    }

    private func culture(_ app: RouterGroup<AppRequestContext>) {
        let account = CultureAccountRoutes(accounts: accounts)
        app.post("v1/validation/email", use: account.checkEmail)
        app.post("v1/users/join", use: account.join)
        app.post("v1/users/login", use: account.signIn)
        app.get("v1/auth/refresh", use: CultureRefreshRoutes(sessions: sessions).refresh)

        let profile = CultureProfileRoutes(profiles: profiles, people: people, images: images, graph: graph)
        app.signedIn.get("v1/users/me/profile", use: profile.show)
        app.signedIn.put("v1/users/me/profile", use: profile.update)
        app.signedIn.get("v1/users/search", use: profile.search)
        app.signedIn.get("v1/users/:userId/profile", use: profile.showOther)

        let leaving = CultureWithdrawalRoutes(profiles: profiles, sessions: sessions, withdrawal: withdrawal)
        app.signedIn.get("v1/users/withdraw", use: leaving.withdrawByGet)
        app.signedIn.post("v1/users/me", use: leaving.withdraw)
        app.signedIn.delete("v1/users/me", use: leaving.withdraw)
    }

    /// Pictures of profiles, for whom their apps let see them.
    private func profileImages(_ router: RouterGroup<AppRequestContext>) {
        let anlaka = ImageRoutes(images: images, app: .anlaka, sharing: .caller)
        router.app(.anlaka).get("v1/data/profiles/:name", use: anlaka.show)
        let culture = ImageRoutes(images: images, app: .culture, sharing: .caller)
        router.app(.culture).signedIn.get("v1/uploads/profiles/:name", use: culture.show)

        let moup = MOUPImageRoutes(profiles: profiles, images: images)
        router.app(.moup).signedIn.post("files/users/profile-images", use: moup.upload)
        let open = ImageRoutes(images: images, app: .moup, sharing: .everybody)
        router.app(.moup).get("files/users/profile-images/:name", use: open.show)
    }

    private func moup(_ app: RouterGroup<AppRequestContext>) {
        let signIn = MOUPSignInRoutes(members: members, sessions: sessions, apple: apple, google: google)
        app.post("auth/login", use: signIn.login)
        app.signedIn.patch("auth/login/register", use: signIn.register)
        app.post("auth/token/refresh", use: signIn.refresh)

        let me = MOUPProfileRoutes(members: members, sessions: sessions, withdrawal: withdrawal)
        app.signedIn.get("users/profiles", use: me.show)
        app.signedIn.patch("users/nickname", use: me.rename)
        app.signedIn.patch("users/logout", use: me.logout)
        app.signedIn.delete("users", use: me.leave)

        let admin = MOUPAdminRoutes(members: members, withdrawal: withdrawal)
        app.signedIn.delete("admin/users", use: admin.deleteDue)
        app.signedIn.delete("admin/users/immediate", use: admin.deleteAll)
    }

    private func withSuhyeon(_ app: RouterGroup<AppRequestContext>) {
        let phone = WithSuhyeonPhoneRoutes(codes: codes, sms: sms)
        app.post("api/v1/message/send", use: phone.send)
        app.post("api/v1/message/verify", use: phone.verify)

        let signIn = WithSuhyeonSignInRoutes(
            companions: companions,
            sessions: sessions,
            withdrawal: withdrawal,
            kakao: kakao,
            apple: apple
        )
        app.patch("api/v1/auth/signup", use: signIn.finishSignUp)
        app.post("api/v1/auth/signup", use: signIn.signUp)
        app.post("api/v1/auth/signin", use: signIn.signIn)
        app.post("api/v1/auth/kakao", use: signIn.kakao)
        app.post("api/v1/auth/apple", use: signIn.apple)
        app.signedIn.post("api/v1/auth/logout", use: signIn.logout)
        app.signedIn.delete("api/v1/auth/withdraw", use: signIn.withdraw)

        let me = WithSuhyeonProfileRoutes(companions: companions, tickets: tickets)
        app.signedIn.get("api/v1/user-id", use: me.ticket)
        app.signedIn.get("api/v1/mypage", use: me.show)
        app.signedIn.get("api/v1/mypage/preference", use: me.region)
        app.signedIn.patch("api/v1/mypage/preference", use: me.setRegion)
        app.signedIn.get("api/v1/mypage/phone-number", use: me.phone)
        app.signedIn.patch("api/v1/mypage/phone-number", use: me.setPhone)

        let blocks = WithSuhyeonBlockRoutes(blocked: blocked, companions: companions)
        app.signedIn.get("api/v1/mypage/blocks", use: blocks.list)
        app.signedIn.post("api/v1/mypage/blocks", use: blocks.add)
        app.signedIn.delete("api/v1/mypage/blocks", use: blocks.remove)
    }
}
