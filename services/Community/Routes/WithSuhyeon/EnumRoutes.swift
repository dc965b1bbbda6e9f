import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// The values offered by the app's forms (With Suhyeon contract 1.2, calls 10 and 11; 3.2, 3.3). Public.
struct EnumRoutes {
    /// The gateway's URL for clients.
    let publicURL: String

    struct RegionsResponse: Encodable {
        var regions: [Location]

        struct Location: Encodable {
            var location: String
            var subLocations: [String]
        }
    }

    struct CategoriesResponse: Encodable {
        var categories: [Item]

        struct Item: Encodable {
            var imageUrl: String
            var category: String
        }
    }

    /// `GET /api/v1/enums/regions` → 200 with the locations and their regions, in the order of the contract.
    func regions(_ request: Request, _ context: AppRequestContext) throws -> Response {
        var locations: [RegionsResponse.Location] = []
        for region in Region.all {
            if locations.last?.location != region.location {
                locations.append(RegionsResponse.Location(location: region.location, subLocations: []))
            }
            locations[locations.count - 1].subLocations.append(region.name)
        }
        return try .withSuhyeon(RegionsResponse(regions: locations))
    }

    /// `GET /api/v1/enums/categories` → 200 with the gallery's categories, in the order of the contract.
    func categories(_ request: Request, _ context: AppRequestContext) throws -> Response {
        let items = GalleryCategory.allCases.map { category in
            CategoriesResponse.Item(
                imageUrl: "\(publicURL)/api/v1/enums/categories/\(category.rawValue).png",
                category: category.text
            )
        }
        return try .withSuhyeon(CategoriesResponse(categories: items))
    }

    /// `GET /api/v1/enums/categories/{name}` → 200 with a PNG; 410 when it does not exist.
    func symbol(_ request: Request, _ context: AppRequestContext) throws -> Response {
        let name = try context.parameters.require("name")
        guard let category = GalleryCategory.allCases.first(where: { "\($0.rawValue).png" == name }) else {
            throw Problem(.notFound, message: "There is no such picture.")
        }
        return .file(StoredBytes(category.symbol), type: .png, name: name, sharing: .shared)
    }
}
