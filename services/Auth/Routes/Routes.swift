import Apps
import Contracts
import Events
import Files
import Hummingbird
import ServiceKit

/// The URL map of the auth service.
struct Routes {
    let accounts: Accounts
    let sessions: Sessions
    let profiles: Profiles
    let people: UserDirectory
    let images: ProfileImages
    let graph: SocialGraphClient
    let revocations: RevocationFeed
    let withdrawal: Withdrawal
    let notices: ProviderWebhooks
    let inbox: Inbox
    let ring: KeyRing
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient
    let sms: SMSClient
    let members: MOUPMembers
    let companions: WithSuhyeonAccounts
    let codes: PhoneCodes
    let blocked: BlockedNumbers
    let tickets: Tickets
    let passengers: PassengerClient

    func add(to router: ServiceRouter) {
        seatCatcher(router.app(SeatCatcher.self))
        anlaka(router.app(Anlaka.self))
        culture(router.app(Culture.self))
        profileImages(router)
        moup(router.app(MOUP.self))
        withSuhyeon(router.app(WithSuhyeon.self))
        processes(router)
        peoplesSessions(router)
        providerWebhooks(router)
    }

    /// Internal calls of the gateways and the other services.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        router.on(.get, "internal/keys", from: .gateway, .seats, use: KeyRoutes(ring: ring).keys)
        let gateways = GatewayRoutes(sessions: sessions, revocations: revocations)
        router.on(.post, "internal/sessions/refresh", from: .gateway, use: gateways.refresh)
        router.on(.post, "internal/sessions/uses", from: .gateway, use: gateways.noteUses)
        router.on(.get, "internal/revocations", from: .gateway, use: gateways.revocations)
        let others = WithSuhyeonLookupRoutes(tickets: tickets, blocked: blocked)
        router.on(.get, "internal/tickets/:ticket", from: .chat, use: others.holder)
        router.on(
            .get,
            "internal/accounts/:account/blockers",
            from: .community,
            .chat,
            .notifications,
            use: others.blockers
        )
        let moup = MOUPMemberRoutes(members: members)
        router.on(.get, "internal/members/:account", from: .workforce, .notifications, use: moup.show)
        let profiles = ProfileLookupRoutes(people: people)
        router.on(
            .get,
            "internal/profiles/:account",
            from: .estate,
            .community,
            .chat,
            .payments,
            .notifications,
            use: profiles.show
        )
        router.on(.get, "internal/people/:publicId", from: .community, .chat, use: profiles.find)
        let operators = OperatorRoutes(people: PeopleLookup(sessions: sessions))
        router.on(.get, "internal/operators/people", from: .console, use: operators.find)
        router.on(.post, "internal/operators/people/restore", from: .console, use: operators.restore)
        router.on(.post, "internal/operators/sessions/end", from: .console, use: operators.end)
    }

    /// Session management, below each app's own paths.
    private func peoplesSessions(_ router: ServiceRouter) {
        let routes = SessionRoutes(sessions: sessions)
        routes.add(to: router.app(SeatCatcher.self))
        routes.add(to: router.app(MOUP.self))
        routes.add(to: router.app(Anlaka.self))
        routes.add(to: router.app(Culture.self))
        routes.add(to: router.app(WithSuhyeon.self))
    }

    private func providerWebhooks(_ router: ServiceRouter) {
        ProviderWebhookRoutes(notices: notices, app: .seatcatcher).add(to: router.app(SeatCatcher.self))
        ProviderWebhookRoutes(notices: notices, app: .moup).add(to: router.app(MOUP.self))
        ProviderWebhookRoutes(notices: notices, app: .anlaka).add(to: router.app(Anlaka.self))
        ProviderWebhookRoutes(notices: notices, app: .withsuhyeon).add(to: router.app(WithSuhyeon.self))
    }

    private func seatCatcher(_ app: AppRoutes<SeatCatcher>) {
        let signIn = SeatCatcherSignInRoutes(accounts: accounts, kakao: kakao, apple: apple)
        app.on(\.signInWithKakao, use: signIn.kakao)
        app.on(\.signInWithApple, use: signIn.apple)

        let tokens = SeatCatcherTokenRoutes(sessions: sessions, ring: ring)
        app.on(\.refreshTokens, use: tokens.refresh)
        app.on(\.validateToken, use: tokens.validate)

        let me = SeatCatcherProfileRoutes(profiles: profiles, passengers: passengers)
        app.on(\.getProfile, use: me.show)
        app.on(\.updateProfile, use: me.update)
        app.on(\.withdraw, use: SeatCatcherWithdrawalRoutes(withdrawal: withdrawal).withdraw)
    }

    private func anlaka(_ app: AppRoutes<Anlaka>) {
        let account = AnlakaAccountRoutes(accounts: accounts)
        app.on(\.checkEmail, use: account.checkEmail)
        app.on(\.join, use: account.join)
        app.on(\.signIn, use: account.signIn)

        let social = AnlakaSocialRoutes(accounts: accounts, kakao: kakao, apple: apple)
        app.on(\.signInWithKakao, use: social.kakao)
        app.on(\.signInWithApple, use: social.apple)

        let me = AnlakaProfileRoutes(profiles: profiles, images: images)
        app.on(\.getOwnProfile, use: me.show)
        app.on(\.updateOwnProfile, use: me.update)
        app.on(\.uploadProfileImage, use: me.upload)

        let others = AnlakaPeopleRoutes(people: people)
        app.on(\.searchUsers, use: others.search)
        app.on(\.getUserProfile, use: others.show)

        app.on(\.refreshTokens, use: AnlakaRefreshRoutes(sessions: sessions).refresh)
        app.on(\.signOut, use: AnlakaSignOutRoutes(sessions: sessions).signOut)
        app.on(\.withdraw, use: AnlakaWithdrawalRoutes(withdrawal: withdrawal).withdraw)
        app.on(\.getCommon, use: AnlakaCommonRoutes().show)
    }

    private func culture(_ app: AppRoutes<Culture>) {
        let account = CultureAccountRoutes(accounts: accounts)
        app.on(\.checkEmail, use: account.checkEmail)
        app.on(\.join, use: account.join)
        app.on(\.signIn, use: account.signIn)
        app.on(\.refreshTokens, use: CultureRefreshRoutes(sessions: sessions).refresh)

        let profile = CultureProfileRoutes(profiles: profiles, people: people, images: images, graph: graph)
        app.on(\.getOwnProfile, use: profile.show)
        app.on(\.updateOwnProfile, use: profile.update)
        app.on(\.searchUsers, use: profile.search)
        app.on(\.getUserProfile, use: profile.showOther)

        let leaving = CultureWithdrawalRoutes(profiles: profiles, sessions: sessions, withdrawal: withdrawal)
        app.on(\.withdrawByGet, use: leaving.withdrawByGet)
        app.on(\.withdrawByPost, use: leaving.withdraw)
        app.on(\.withdraw, use: leaving.withdraw)
    }

    /// Uploads and downloads of profile pictures.
    private func profileImages(_ router: ServiceRouter) {
        let anlaka = ImageRoutes(images: images, app: .anlaka, sharing: .caller)
        router.app(Anlaka.self).on(\.getProfileImage) { (request, context: AppRequestContext) in
            try await anlaka.show(request, context)
        }
        let culture = ImageRoutes(images: images, app: .culture, sharing: .caller)
        router.app(Culture.self).on(\.getProfileImage) { (request, context: SignedInContext) in
            try await culture.show(request, context)
        }

        let moup = MOUPImageRoutes(profiles: profiles, images: images)
        router.app(MOUP.self).on(\.uploadProfileImage, use: moup.upload)
        let open = ImageRoutes(images: images, app: .moup, sharing: .shared)
        router.app(MOUP.self).on(\.getProfileImage) { (request, context: AppRequestContext) in
            try await open.show(request, context)
        }
    }

    private func moup(_ app: AppRoutes<MOUP>) {
        let signIn = MOUPSignInRoutes(members: members, sessions: sessions, apple: apple, google: google)
        app.on(\.signIn, use: signIn.login)
        app.on(\.completeSignUp, use: signIn.register)
        app.on(\.refreshTokens, use: signIn.refresh)

        let me = MOUPProfileRoutes(members: members, sessions: sessions, withdrawal: withdrawal)
        app.on(\.getProfile, use: me.show)
        app.on(\.updateNickname, use: me.rename)
        app.on(\.signOut, use: me.logout)
        app.on(\.withdraw, use: me.leave)

        let admin = MOUPAdminRoutes(members: members, withdrawal: withdrawal)
        app.on(\.deleteDueAccounts, use: admin.deleteDue)
        app.on(\.deleteAccountsImmediately, use: admin.deleteAll)
    }

    private func withSuhyeon(_ app: AppRoutes<WithSuhyeon>) {
        let phone = WithSuhyeonPhoneRoutes(codes: codes, sms: sms)
        app.on(\.sendVerificationCode, use: phone.send)
        app.on(\.verifyPhone, use: phone.verify)

        let signIn = WithSuhyeonSignInRoutes(
            companions: companions,
            sessions: sessions,
            withdrawal: withdrawal,
            kakao: kakao,
            apple: apple
        )
        app.on(\.completeSignUp, use: signIn.finishSignUp)
        app.on(\.signUp, use: signIn.signUp)
        app.on(\.signIn, use: signIn.signIn)
        app.on(\.signInWithKakao, use: signIn.kakao)
        app.on(\.signInWithApple, use: signIn.apple)
        app.on(\.signOut, use: signIn.logout)
        app.on(\.withdraw, use: signIn.withdraw)

        let me = WithSuhyeonProfileRoutes(companions: companions, tickets: tickets)
        app.on(\.createSocketTicket, use: me.ticket)
        app.on(\.getProfile, use: me.show)
        app.on(\.getRegion, use: me.region)
        app.on(\.updateRegion, use: me.setRegion)
        app.on(\.getPhoneNumber, use: me.phone)
        app.on(\.updatePhoneNumber, use: me.setPhone)

        let blocks = WithSuhyeonBlockRoutes(blocked: blocked, companions: companions)
        app.on(\.listBlockedPhoneNumbers, use: blocks.list)
        app.on(\.blockPhoneNumber, use: blocks.add)
        app.on(\.unblockPhoneNumber, use: blocks.remove)
    }
}
