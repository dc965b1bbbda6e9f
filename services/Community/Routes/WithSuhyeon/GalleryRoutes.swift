import Apps
import Contracts
import Files
import FoundationEssentials
import Hummingbird
import Profiles
import ServiceKit

/// Gallery pictures (With Suhyeon contract 1.2, calls 17 to 20 and 30; 1.3, 1.4).
struct GalleryRoutes {
    let gallery: Gallery

    struct Item: Encodable {
        var galleryId: GalleryItemID
        var imageUrl: String
        var title: String
    }

    struct ListResponse: Encodable {
        var galleries: [Item]
    }

    struct OwnListResponse: Encodable {
        var userGalleries: [Item]
    }

    struct DetailResponse: Encodable {
        var imageUrl: String
        var category: String
        var title: String
        var profileImage: String
        var nickname: String
        var createdAt: String
        var content: String
        var owner: Bool
    }

    /// `GET /api/v1/galleries?category=&size=&cursorId=` → 200 with up to `size` (1 to 100; default 20) pictures before
    /// the cursor, newest first; 400 `CONSTANT_001` for an unknown category.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let size = try request.intQuery("size") ?? 20
        guard (1...100).contains(size) else { throw Problem(.badParameter, message: "size must be from 1 to 100.") }
        let items = try await gallery.items(
            of: Self.category(request.query("category")),
            for: context.account,
            before: request.intQuery("cursorId").map(GalleryItemID.init(rawValue:)),
            limit: Int(size)
        )
        return try .withSuhyeon(ListResponse(galleries: items.map(item)))
    }

    /// `POST /api/v1/galleries`, a form with `image` and `createGalleryRequest` → 200; 400 `REQUEST_001`,
    /// `CONSTANT_001`, `FILE_001`, `FILE_002`, 413 for a picture that is too large, 415 `REQUEST_011`. Nothing is
    /// stored after an error.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let uploads = gallery.attachments.uploads
        let form = try await GalleryForm.read(request, context, rules: gallery.rules, into: uploads)
        try await gallery.add(form.draft, form.picture, by: context.account)
        return try .withSuhyeon()
    }

    /// `GET /api/v1/galleries/{galleryId}` → 200; 410 `GALLERY_005`, and `REQUEST_009` for an invalid ID.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (item, author) = try await gallery.item(context.companionID("galleryId"), for: context.account)
        return try .withSuhyeon(
            DetailResponse(
                imageUrl: gallery.rules.path(item.picture),
                category: item.category.text,
                title: item.title,
                profileImage: author.appImage,
                nickname: author.shownName,
                createdAt: KoreanDate.short(item.createdAt),
                content: item.content,
                owner: item.author == context.account
            )
        )
    }

    /// `DELETE /api/v1/galleries/{galleryId}` → 204; 403 `GALLERY_006`, 410 as `show`.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await gallery.delete(context.companionID("galleryId"), by: context.account)
        return .empty(.noContent)
    }

    /// `GET /api/v1/mypage/galleries` → 200 with the viewer's pictures, newest first.
    func own(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .withSuhyeon(OwnListResponse(userGalleries: await gallery.items(by: context.account).map(item)))
    }

    private func item(_ item: GalleryItem) -> Item {
        Item(galleryId: item.id, imageUrl: gallery.rules.path(item.picture), title: item.title)
    }

    private static func category(_ text: String?) throws -> GalleryCategory? {
        guard let text, !text.isEmpty, text != "all" else { return nil }
        guard let category = GalleryCategory(text: text) else { throw GalleryError.categoryUnknown }
        return category
    }
}
