import Hummingbird
import ServiceKit
import Values

/// The home screen (Anlaka contract 2.2, calls 18 to 21).
struct HomeRoutes {
    let picks: FeaturedListings
    let topics: Topics

    struct TopicsResponse: Encodable {
        var data: [Item]

        struct Item: Encodable {
            var title: String
            var content: String
            /// `yyyy-MM-dd` in Seoul.
            var date: String
            var link: String?
        }
    }

    /// `GET /v1/estates/today-estates` → 200 `{data: […]}`: the newest three safe listings.
    func today(_ request: Request, _ context: SignedInContext) async throws -> Response {
        .estates(try await picks.today(for: context.account).map { ($0, nil) })
    }

    /// `GET /v1/estates/hot-estates` → 200 `{data: […]}`: ten, most liked first.
    func hot(_ request: Request, _ context: SignedInContext) async throws -> Response {
        .estates(try await picks.hot(for: context.account).map { ($0, nil) })
    }

    /// `GET /v1/estates/similar-estates` → 200 `{data: […]}`: up to ten similar to the caller's likes.
    func similar(_ request: Request, _ context: SignedInContext) async throws -> Response {
        .estates(try await picks.similar(for: context.account).map { ($0, nil) })
    }

    /// `GET /v1/estates/today-topic` → 200 `{data: [{title, content, date, link?}]}`, newest first.
    func topics(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let items = try await topics.latest().map {
            TopicsResponse.Item(title: $0.title, content: $0.content, date: $0.date.description, link: $0.link)
        }
        return try .json(TopicsResponse(data: items))
    }
}
