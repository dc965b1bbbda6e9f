import Contracts
import Files
import FoundationEssentials
import Postgres
import ServiceDatabase
import ServiceKit

/// The settings of the estate service.
struct EstateConfiguration: HostedConfiguration {
    var host: HostConfiguration
    /// `DATABASE_URL` and other settings of the database.
    var database: PostgresConfiguration
    /// `AUTH_URL`, comma-separated. For profiles not received yet.
    var authURLs = [HostConfiguration.noServer]
    /// `COMMUNITY_URL`, comma-separated. For files uploaded as those of posts.
    var communityURLs = [HostConfiguration.noServer]
    /// `ESTATE_POSITION_SECRET`: key of the offsets of public positions.
    var positionSecret = Self.developmentPositionSecret
    /// `ESTATE_MAP_LIMIT`: maximum number of listings in a map response.
    var mapLimit = Self.usualMapLimit
    /// `KAKAO_LOCAL_URL`: base URL of Kakao's local API.
    var kakaoURL = HostConfiguration.noServer
    /// `KAKAO_REST_KEY`.
    var kakaoKey = Self.developmentKakaoKey
    /// `ESTATE_PLACES_PER_ACCOUNT` and `ESTATE_PLACES_PER_DAY`: requests to Kakao per day, of one account and of all.
    var placesPerAccount = PlaceQuota.usualPerAccount
    var placesPerDay = PlaceQuota.usualPerDay
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// The clock; tests replace it.
    var now: @Sendable () -> Date = { .now }

    static let developmentPositionSecret = "madang-development-position-secret"
    static let developmentKakaoKey = "madang-development-rest-key"
    static let usualMapLimit = 1000

    /// Defaults, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(.estate, port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(.estate, &settings, port: 8084)
        self.database = try PostgresConfiguration(&settings, service: "estate")
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081", "the auth service")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085", "the community service")
        self.positionSecret = settings.secret(
            "ESTATE_POSITION_SECRET",
            development: Self.developmentPositionSecret,
            "keys the offset that hides where a listing is"
        )
        self.mapLimit = settings.int(
            "ESTATE_MAP_LIMIT",
            default: Self.usualMapLimit,
            in: 1...100_000,
            "listings that a map answer holds at most"
        )
        self.kakaoURL = settings.outside(
            "KAKAO_LOCAL_URL",
            sandbox: "http://127.0.0.1:8090/kakao",
            "Kakao's search for places"
        )
        self.kakaoKey = settings.credential(
            "KAKAO_REST_KEY",
            development: Self.developmentKakaoKey,
            "REST key for the search for places"
        )
        self.placesPerAccount = settings.int(
            "ESTATE_PLACES_PER_ACCOUNT",
            default: PlaceQuota.usualPerAccount,
            in: 1...1_000_000,
            "requests to Kakao's search for places that one account may cause per day"
        )
        self.placesPerDay = settings.int(
            "ESTATE_PLACES_PER_DAY",
            default: PlaceQuota.usualPerDay,
            in: 1...100_000_000,
            "requests to Kakao's search for places per day; Kakao's quota"
        )
        self.files = FilesConfiguration(&settings, service: "estate")
    }
}
