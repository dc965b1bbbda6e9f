import Hummingbird
import ServiceKit

/// The tags of passenger profiles (SeatCatcher contract 1.6, calls 26 and 27).
struct TagRoutes {
    let tags: Tags

    struct TagResponse: Encodable {
        var id: TagID
        var tagName: String

        init(_ tag: Tags.Tag) {
            self.id = tag.id
            self.tagName = tag.name
        }
    }

    /// `GET /tags` → 200; 204 when there is none.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let all = try await tags.all()
        return all.isEmpty ? .empty(.noContent) : try .json(all.map(TagResponse.init))
    }

    /// `GET /tags/{id}` → 200, 404.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(TagResponse(try await tags.tag(id: context.pathID("id"))))
    }
}
