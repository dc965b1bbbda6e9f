import AsyncHTTPClient
import Authentication
import Contracts
import Events
import Files
import Logging
import Postgres
import ServiceKit

/// The use cases of the service with their stores and provider clients.
struct AuthDomain: Sendable {
    let ring: KeyRing
    let kakao: KakaoClient
    let apple: AppleClient
    let google: GoogleClient
    let sms: SMSClient
    let sessions: Sessions
    let revocations: RevocationFeed
    let accounts: Accounts
    let profiles: Profiles
    let people: UserDirectory
    let images: ProfileImages
    let graph: SocialGraphClient
    let withdrawal: Withdrawal
    let steps: WithdrawalSteps
    let notices: ProviderWebhooks
    let passengers: PassengerClient
    let members: MOUPMembers
    let companions: WithSuhyeonAccounts
    let codes: PhoneCodes
    let blocked: BlockedNumbers
    let tickets: Tickets

    init(
        _ configuration: AuthConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        seats: InternalClient,
        community: InternalClient,
        logger: Logger
    ) {
        let secret = configuration.keySecret
        ring = KeyRing(configuration, database: database, logger: logger)
        kakao = KakaoClient(configuration.providers, http: .untraced)
        apple = AppleClient(configuration.providers, http: .untraced)
        google = GoogleClient(configuration.providers, http: .untraced)
        sms = SMSClient(configuration.providers, http: .untraced)
        passengers = PassengerClient(seats: seats)

        let allowances = RateLimiter(database: database, secret: secret, limits: configuration.limits)
        let links = SocialLinkStore(seal: KeyEncryption(secret: secret, purpose: "tokens of providers"))
        let mint = TokenIssuer(ring: ring, lifetimes: configuration.lifetimes)
        sessions = Sessions(
            database: database,
            mint: mint,
            allowances: allowances,
            outbox: outbox,
            now: configuration.now
        )
        revocations = RevocationFeed(database: database, lifetimes: configuration.lifetimes, logger: logger)
        let hasher = PasswordHasher(
            cost: configuration.passwordCost,
            threads: configuration.passwordThreads,
            queueLimit: configuration.passwordQueue
        )
        accounts = Accounts(
            database: database,
            links: links,
            sessions: sessions,
            hasher: hasher,
            allowances: allowances,
            outbox: outbox
        )
        members = MOUPMembers(database: database, accounts: accounts, outbox: outbox)
        companions = WithSuhyeonAccounts(
            database: database,
            pending: PendingSignUpStore(seal: links.seal),
            accounts: accounts,
            sessions: sessions,
            outbox: outbox
        )
        let codeHash = KeyedHash(secret: secret, purpose: "codes for phones")
        codes = PhoneCodes(database: database, allowances: allowances, hash: codeHash)
        blocked = BlockedNumbers(database: database)
        tickets = Tickets(database: database, hash: KeyedHash(secret: secret, purpose: "tickets of sockets"))
        let publicURL = configuration.publicURL
        images = ProfileImages(
            database: database,
            intake: configuration.files.intake,
            files: configuration.files.store,
            rules: { UploadRules(profilesOf: $0, publicURL: publicURL) }
        )
        profiles = Profiles(database: database, outbox: outbox, imageRules: images.rules)
        people = UserDirectory(database: database)
        graph = SocialGraphClient(community: community)
        withdrawal = Withdrawal(
            database: database,
            sessions: sessions,
            outbox: outbox,
            grace: configuration.leavingTime
        )
        steps = WithdrawalSteps(
            database: database,
            links: links,
            unlinker: Unlinker(kakao: kakao, apple: apple, google: google),
            outbox: outbox,
            logger: logger
        )
        notices = ProviderWebhooks(
            database: database,
            spool: WebhookSpool(folder: configuration.noticeSpool),
            reader: WebhookReader(kakao: kakao, apple: apple),
            effect: WebhookEffect(links: links, sessions: sessions, withdrawal: withdrawal),
            logger: logger
        )
    }
}

extension KeyRing {
    convenience init(_ configuration: AuthConfiguration, database: PostgresClient, logger: Logger) {
        let longestRefresh = App.allCases.map { configuration.lifetimes(of: $0).refresh }.max() ?? 0
        self.init(
            store: SigningKeyStore(
                database: database,
                seal: KeyEncryption(secret: configuration.keySecret, purpose: "signing keys")
            ),
            schedule: KeySchedule(
                period: configuration.keyPeriod,
                lead: configuration.keyLead,
                afterlife: Double(longestRefresh)
            ),
            logger: logger
        )
    }
}
