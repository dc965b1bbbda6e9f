import FoundationEssentials
import Postgres
import PostgresServer

/// A million posts of Anlaka, four of five in Seoul, and two hundred thousand reviews of Seoul Culture; and the
/// measured requests.
struct CommunityDataset: Sendable {
    static let posts = 1_000_000
    static let reviews = 200_000
    /// The number of accounts that like one post at the same time; their ids are the first numbers.
    static let likers = 1000
    /// The public id of the liked post.
    static let liked = String(repeating: "0", count: 23) + "1"

    private static let neighbourhoods = 400
    private static let south = 37.42...37.66
    private static let west = 126.80...127.14

    /// When the newest post was written.
    let newest = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down) - 3600)

    enum Call: CaseIterable {
        case nearby, nearbyDeep, liked, likedDeep, category, country, word, rareWord, reviews, reviewsDeep

        var title: String {
            switch self {
            case .nearby: "posts within 5 km"
            case .nearbyDeep: "the same, behind nine tenths of all"
            case .liked: "the most liked within 5 km"
            case .likedDeep: "the same, behind most of them"
            case .category: "posts of one category within 5 km"
            case .country: "posts within 10 km, where there are few"
            case .word: "posts with a word that many have"
            case .rareWord: "posts with a word that few have"
            case .reviews: "reviews with likes and comments"
            case .reviewsDeep: "the same, behind nine tenths of all"
            }
        }

        var isCulture: Bool { self == .reviews || self == .reviewsDeep }
        /// Requests per second.
        static let rate = 40
        /// Milliseconds.
        static let reach = 20.0
    }

    /// The path of a request, with a different place for each number.
    func path(_ call: Call, _ number: Int) -> String {
        let latitude = Self.between(Self.south, Self.share(number, 0.754_877_666))
        let longitude = Self.between(Self.west, Self.share(number, 0.569_840_291))
        let near = "/v1/posts/geolocation?longitude=\(longitude)&latitude=\(latitude)&maxDistance=5000&limit=10"
        return switch call {
        case .nearby: near
        case .nearbyDeep: "\(near)&next=\(cursor(Self.posts * 9 / 10))"
        case .liked: "\(near)&order=likes"
        case .likedDeep: "\(near)&order=likes&next=\(String(3, radix: 36))-\(cursor(Self.posts / 2))"
        case .category: "\(near)&category=%EB%B6%84%EC%8B%A4"
        case .country:
            "/v1/posts/geolocation?longitude=\(longitude + 1)&latitude=\(latitude - 1.5)&maxDistance=10000&limit=10"
        case .word: "/v1/posts/search?title=%EA%B5%AD%EB%B0%A5"
        case .rareWord: "/v1/posts/search?title=%EA%B3%A0%EC%96%91%EC%9D%B4%20\(1 + number % 9)77"
        case .reviews: "/v1/posts?product_id=ksm_post&limit=10&next="
        case .reviewsDeep: "/v1/posts?product_id=ksm_post&limit=10&next=\(cursor(Self.posts + Self.reviews * 9 / 10))"
        }
    }

    /// The cursor of a page that ends with the post of a number.
    private func cursor(_ number: Int) -> String {
        let milliseconds = Int64((newest.timeIntervalSince1970 - Double(number * 20)) * 1000)
        return "\(String(milliseconds, radix: 36))-\(String(number, radix: 36))"
    }

    private static func share(_ number: Int, _ step: Double) -> Double {
        (Double(number + 1) * step).truncatingRemainder(dividingBy: 1)
    }

    private static func between(_ range: ClosedRange<Double>, _ share: Double) -> Double {
        range.lowerBound + share * (range.upperBound - range.lowerBound)
    }

    func build(_ server: PostgresServer) async throws {
        try await server.withClient(of: "madang") { database in
            for script in scripts { try await database.execute(script) }
        }
    }

    /// Adds posts of Anlaka only, and in the first call their authors.
    ///
    /// - Parameter numbers: Of the posts, the first of which is 1; different ones in each call.
    func build(_ server: PostgresServer, posts numbers: ClosedRange<Int>) async throws {
        try await server.withClient(of: "madang") { database in
            if numbers.contains(1) { try await database.execute(people) }
            try await database.execute(posts(numbers))
            try await database.execute("VACUUM ANALYZE community.posts, community.people")
        }
    }

    private var people: SQL {
        """
        INSERT INTO community.people (account_id, app, public_id, nickname)
        SELECT -n, CASE WHEN n % 2 = 0 THEN 'anlaka' ELSE 'culture' END, 'f' || lpad(to_hex(n), 23, '0'), '사람' || n
        FROM generate_series(1, 2 * \(Self.likers)) n
        """
    }

    private func posts(_ numbers: ClosedRange<Int>) -> SQL {
        """
        INSERT INTO community.posts (public_id, app, author_id, category, title, title_key, content, latitude, longitude,
            like_count, created_at, updated_at)
        SELECT lpad(to_hex(n), 24, '0'), 'anlaka', -2 * (1 + n % \(Self.likers)),
            (ARRAY['정보', '친목', '이슈', '동물', '맛집', '기타', '맛집', '정보', '이슈', '분실'])[1 + n % 10],
            title, title, '골목을 지나다 보았습니다. 사진도 있습니다.',
            round((home.latitude + reach * cos(direction))::numeric, 6)::float8,
            round((home.longitude + reach * 1.26 * sin(direction))::numeric, 6)::float8,
            CASE WHEN n = 1 THEN 0 ELSE floor(1 / (0.02 + random()) - 0.97) END,
            \(newest) - n * interval '20 seconds', \(newest) - n * interval '20 seconds'
        FROM generate_series(\(numbers.lowerBound), \(numbers.upperBound)) n
        CROSS JOIN LATERAL (
            SELECT CASE WHEN n % 5 = 0 THEN 34.6 + n % 7919 / 7919.0 * 3.6
                    ELSE 37.42 + n % \(Self.neighbourhoods) * 0.754877666 % 1 * 0.24 END AS latitude,
                CASE WHEN n % 5 = 0 THEN 126.4 + n % 6007 / 6007.0 * 2.9
                    ELSE 126.80 + n % \(Self.neighbourhoods) * 0.569840291 % 1 * 0.34 END AS longitude
        ) home
        CROSS JOIN LATERAL (
            SELECT random() * 0.012 + n * 0 AS reach, random() * 2 * pi() + n * 0 AS direction
        ) shift
        CROSS JOIN LATERAL (
            SELECT CASE n % 4 WHEN 0 THEN '국밥 잘하는 집 ' || n % 1000 WHEN 1 THEN '산책하기 좋은 길 ' || n % 1000
                WHEN 2 THEN '고양이 ' || n % 1000 ELSE '같이 운동하실 분 ' || n % 1000 END AS title
        ) name
        """
    }

    private var scripts: [SQL] {
        [
            people, posts(1...Self.posts),
            """
            INSERT INTO community.posts (public_id, app, author_id, category, title, content, hashtags, like_count,
                created_at, updated_at)
            SELECT lpad(to_hex(n), 24, '0'), 'culture', 1 - 2 * (1 + n % \(Self.likers)), 'ksm_post', '다녀왔어요 ' || n,
                '아이와 함께 보기 좋았습니다. #전시 #주말', '{전시,주말}', 3,
                \(newest) - n * interval '20 seconds', \(newest) - n * interval '20 seconds'
            FROM generate_series(\(Self.posts) + 1, \(Self.posts) + \(Self.reviews)) n
            """,
            """
            INSERT INTO community.likes (post_id, kind, account_id, public_id)
            SELECT p.id, 1, 1 - 2 * who, 'f' || lpad(to_hex(2 * who - 1), 23, '0')
            FROM community.posts p CROSS JOIN generate_series(1, 3) who WHERE p.app = 'culture'
            """,
            """
            INSERT INTO community.comments (public_id, post_id, author_id, content)
            SELECT 'c' || lpad(to_hex(p.id), 23, '0'), p.id, -1, '저도 가 보고 싶어요' FROM community.posts p
            WHERE p.app = 'culture'
            """,
            "VACUUM ANALYZE community.posts, community.likes, community.comments, community.people",
        ]
    }
}
