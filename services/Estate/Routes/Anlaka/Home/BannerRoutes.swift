import Apps
import Files
import Hummingbird
import ServiceKit

/// Banners and their images (Anlaka contract 2.3, call 25; 2.7).
struct BannerRoutes {
    struct ListResponse: Encodable {
        var data: [Item]

        struct Item: Encodable {
            var name: String
            var imageUrl: String
            var payload: Payload
        }

        struct Payload: Encodable {
            var type: String
            var value: String
        }
    }

    /// `GET /v1/banners/main` → 200 `{data: [{name, imageUrl, payload: {type, value}}]}`, at least two.
    func list(_ request: Request, _ context: SignedInContext) throws -> Response {
        let items = Banner.all.map { banner in
            ListResponse.Item(
                name: banner.name,
                imageUrl: "/data/banners/\(banner.file)",
                payload: ListResponse.Payload(type: "WEBVIEW", value: banner.page)
            )
        }
        return try .json(ListResponse(data: items))
    }

    /// `GET /v1/data/banners/{name}` → 200 with the image; 404 when it does not exist.
    func picture(_ request: Request, _ context: AppRequestContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let banner = Banner.all.first(where: { $0.file == name }) else {
            throw Problem(.notFound, message: "There is no such file.")
        }
        return .file(StoredBytes(banner.picture), type: .png, name: banner.file, sharing: .shared)
    }
}
