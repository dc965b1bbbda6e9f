import Values

/// Statistics of the listings on a day.
struct MarketFigures: Sendable, Equatable {
    /// Listings created since the beginning of the previous day.
    var newListings: Int
    /// Average rent in the category with the most rented listings; won per month, rounded.
    var rent: Rent?
    /// The region with the most likes in the last 30 days.
    var region: Region?

    struct Rent: Sendable, Equatable {
        var category: String
        var listings: Int
        var average: Int64
    }

    struct Region: Sendable, Equatable {
        var name: String
        var likes: Int
    }
}

/// A topic written by the service; one per kind and day.
struct MarketNote: Sendable, Equatable {
    enum Kind: String, Sendable {
        case newListings = "new_listings"
        case averageRent = "average_rent"
        case likedRegion = "liked_region"
    }

    var kind: Kind
    var title: String
    var content: String

    /// The notes for the figures that are available.
    static func notes(on figures: MarketFigures) -> [MarketNote] {
        var notes: [MarketNote] = []
        if let region = figures.region {
            notes.append(
                MarketNote(
                    kind: .likedRegion,
                    title: "요즘 가장 사랑받는 동네, \(region.name)",
                    content: "지난 30일 동안 \(region.name) 매물이 좋아요 \(region.likes.grouped)개를 받았어요."
                )
            )
        }
        if let rent = figures.rent {
            notes.append(
                MarketNote(
                    kind: .averageRent,
                    title: "\(rent.category) 평균 월세 \(rent.average.grouped)원",
                    content: "월세 매물이 가장 많은 \(rent.category), 지금 나와 있는 \(rent.listings.grouped)건의 평균이에요."
                )
            )
        }
        if figures.newListings > 0 {
            notes.append(
                MarketNote(
                    kind: .newListings,
                    title: "새로 나온 매물 \(figures.newListings.grouped)건",
                    content: "어제부터 새로 등록된 매물 \(figures.newListings.grouped)건을 지도에서 만나 보세요."
                )
            )
        }
        return notes
    }
}
