import AsyncHTTPClient
import Authentication
import Contracts
import Files
import InternalClient
import Logging
import Outbox
import Postgres
import Uploads

/// The use cases of the service, and the outside systems that they ask, put together.
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
    let people: People
    let images: ProfileImages
    let graph: SocialGraphClient
    let withdrawal: Withdrawal
    let steps: WithdrawalSteps
    let notices: ProviderNotices
    let passengers: PassengerClient
    let members: Members
    let companions: Companions
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
        kakao = KakaoClient(configuration.providers, http: .shared)
        apple = AppleClient(configuration.providers, http: .shared)
        google = GoogleClient(configuration.providers, http: .shared)
        sms = SMSClient(configuration.providers, http: .shared)
        passengers = PassengerClient(seats: seats)

        let allowances = Allowances(database: database, secret: secret, limits: configuration.limits)
        let links = SocialLinkStore(seal: Seal(secret: secret, purpose: "tokens of providers"))
        let mint = TokenMint(ring: ring, lifetimes: configuration.lifetimes)
        sessions = Sessions(
            database: database,
            mint: mint,
            allowances: allowances,
            outbox: outbox,
            now: configuration.now
        )
        revocations = RevocationFeed(database: database, lifetimes: configuration.lifetimes)
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
        members = Members(database: database, accounts: accounts, outbox: outbox)
        companions = Companions(
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
        people = People(database: database)
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
        notices = ProviderNotices(
            database: database,
            spool: NoticeSpool(folder: configuration.noticeSpool),
            reader: NoticeReader(kakao: kakao, apple: apple),
            effect: NoticeEffect(links: links, sessions: sessions, withdrawal: withdrawal),
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
                seal: Seal(secret: configuration.keySecret, purpose: "signing keys")
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
