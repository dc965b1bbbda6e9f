import Files
import FoundationEssentials
import Postgres
import ServiceHost

/// Every setting of the estate service.
struct EstateConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var database: PostgresConfiguration
    /// `AUTH_URL`, several joined by commas: who knows people of whom nothing has been heard yet.
    var authURLs = ["http://127.0.0.1:8081"]
    /// `COMMUNITY_URL`, several joined by commas: where the app uploads pictures for listings, too.
    var communityURLs = ["http://127.0.0.1:8085"]
    /// `ESTATE_POSITION_SECRET`: how far and in which direction listings are shown from where they are.
    var positionSecret = Self.developmentPositionSecret
    /// `ESTATE_MAP_LIMIT`: listings that one answer to the map has at most, the nearest.
    var mapLimit = Self.usualMapLimit
    /// `KAKAO_LOCAL_URL`: where Kakao's search for places is.
    var kakaoURL = "http://127.0.0.1:8090/kakao"
    /// `KAKAO_REST_KEY`.
    var kakaoKey = Self.developmentKakaoKey
    /// `FILES_DIR`.
    var files: FilesConfiguration
    /// What time it is; tests choose one.
    var now: @Sendable () -> Date = { .now }

    static let developmentPositionSecret = "madang-development-position-secret"
    static let developmentKakaoKey = "madang-development-rest-key"
    static let usualMapLimit = 1000

    /// Every default, for tests.
    init(database: PostgresConfiguration) {
        self.host = HostConfiguration(port: 0)
        self.database = database
        self.files = .temporary
    }

    init(_ settings: inout Settings) throws {
        self.host = HostConfiguration(&settings, port: 8084)
        self.database = try PostgresConfiguration(
            url: settings.credential("DATABASE_URL", development: "postgres://estate:estate@127.0.0.1:5432/madang"),
            schema: "estate",
            applicationName: "estate"
        )
        self.authURLs = settings.urls("AUTH_URL", default: "http://127.0.0.1:8081")
        self.communityURLs = settings.urls("COMMUNITY_URL", default: "http://127.0.0.1:8085")
        self.positionSecret = settings.secret(
            "ESTATE_POSITION_SECRET",
            development: Self.developmentPositionSecret
        )
        self.mapLimit = settings.int("ESTATE_MAP_LIMIT", default: Self.usualMapLimit, in: 1...100_000)
        self.kakaoURL = settings.outside("KAKAO_LOCAL_URL", sandbox: "http://127.0.0.1:8090/kakao")
        self.kakaoKey = settings.credential("KAKAO_REST_KEY", development: Self.developmentKakaoKey)
        self.files = FilesConfiguration(&settings, service: "estate")
    }
}
