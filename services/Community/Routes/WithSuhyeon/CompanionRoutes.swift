import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import Profiles
import ServiceKit
import Values

/// Companion posts (With Suhyeon contract 1.2, calls 12 to 16 and 29; 1.3).
struct CompanionRoutes {
    let companions: Companions

    struct HomeResponse: Encodable {
        var count: Int
        var region: String
        var nickname: String
        var homePosts: [CompanionPostItem]
    }

    struct ListResponse: Encodable {
        var region: String
        var days: [String]
        var posts: [CompanionPostItem]
    }

    struct OwnListResponse: Encodable {
        var userPosts: [OwnCompanionPostItem]
    }

    struct CreateRequest: Decodable {
        var gender: Bool
        var age: String
        var requests: [String]
        var region: String
        var date: String
        var price: Int
        var title: String
        var content: String
    }

    struct MatchingRequest: Decodable {
        var matching: Bool
    }

    /// `GET /api/v1/home` → 200 with up to three posts of the viewer's region; 503 while auth, which knows the blocks,
    /// is unavailable.
    func home(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let home = try await companions.home(of: context.account)
        return try .withSuhyeon(
            HomeResponse(
                count: home.people,
                region: home.region.name,
                nickname: home.viewer.shownName,
                homePosts: home.posts.map { CompanionPostItem($0) }
            )
        )
    }

    /// `GET /api/v1/posts?region=&date=` → 200, newest first; 400 for an invalid day, and `POST_003` for an unknown
    /// region; 503 while auth, which knows the blocks, is unavailable.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (region, posts) = try await companions.list(
            in: Self.place(request.query("region")),
            on: Self.day(request.query("date")),
            for: context.account
        )
        let now = companions.now()
        let today = SeoulTime.date(of: now)
        return try .withSuhyeon(
            ListResponse(
                region: region.name,
                days: [Self.anyDay] + (0..<7).map { KoreanDate.chip(today + $0) },
                posts: posts.map { CompanionPostItem($0, now: now) }
            )
        )
    }

    /// `POST /api/v1/posts` → 200; 400 `REQUEST_001`, `POST_001` to `POST_004`. Idempotent with an `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(CreateRequest.self, context)
        let draft = try CompanionDraft(
            wantsMan: body.gender,
            age: body.age,
            requests: body.requests,
            region: body.region,
            meetsAt: KoreanDate.instant(body.date),
            price: body.price,
            title: body.title,
            content: body.content,
            requestKey: request.idempotencyKey
        )
        try await companions.create(draft, by: context.account)
        return try .withSuhyeon()
    }

    /// `GET /api/v1/posts/{postId}` → 200; 410 `POST_006`, and `REQUEST_009` for an invalid ID.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let view = try await companions.post(context.companionID("postId"), for: context.account)
        return try .withSuhyeon(CompanionPostDetail(view, for: context.account))
    }

    /// `DELETE /api/v1/posts/{postId}` → 204; 403 `POST_005`, 410 as `show`.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await companions.delete(context.companionID("postId"), by: context.account)
        return .empty(.noContent)
    }

    /// `PATCH /api/v1/posts/{postId}/matching` `{matching}` → 200; 403 `POST_005`, 410 as `show`.
    func setMatching(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(MatchingRequest.self, context)
        try await companions.setMatched(body.matching, context.companionID("postId"), by: context.account)
        return try .withSuhyeon()
    }

    /// `GET /api/v1/mypage/posts` → 200 with the viewer's posts, newest first.
    func own(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let now = companions.now()
        let posts = try await companions.written(by: context.account)
        return try .withSuhyeon(OwnListResponse(userPosts: posts.map { OwnCompanionPostItem($0, now: now) }))
    }

    // MARK: Parameters

    private static let anyDay = "전체"

    /// The app's first request has an empty region.
    private static func place(_ region: String?) -> Companions.Place {
        guard let region, !region.isEmpty, region != "my-region" else { return .viewers }
        return .named(region)
    }

    private static func day(_ date: String?) throws -> YearlyDay? {
        guard let date, !date.isEmpty, date != anyDay else { return nil }
        guard let day = KoreanDate.day(ofChip: date) else {
            throw Problem(.badParameter, message: "date must be \(anyDay) or a day such as 1/25 (토).")
        }
        return day
    }
}

extension SignedInContext {
    /// A path parameter with an ID.
    ///
    /// - Throws: 410 `REQUEST_009` for an invalid ID: on 404 the app ends its session.
    func companionID<ID: Identifier>(_ name: String) throws -> ID {
        guard let id: ID = id(name) else { throw Problem(.notFound, message: "\(name) must be an id.") }
        return id
    }
}
