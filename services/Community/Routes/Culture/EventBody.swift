import Contracts
import ServiceKit
import Values

/// An event of the city's calendar, for new clients. Fields without a value are absent.
struct EventBody: Encodable {
    var eventID: PublicID
    var title: String
    var category: String
    var district: String
    var place: String
    var organization: String
    var audience: String
    /// The price as text.
    var fee: String
    var isFree: Bool
    /// `yyyy-MM-dd`.
    var startDate: String?
    /// The last day.
    var endDate: String?
    var time: String?
    var performers: String?
    var programme: String?
    var remarks: String?
    var inquiry: String?
    var theme: String?
    /// URLs.
    var image: String?
    var link: String?
    var homepage: String?
    var latitude: Double?
    var longitude: Double?
    /// Metres from the requested position.
    var distance: Double?
    var isFavorite: Bool

    enum CodingKeys: String, CodingKey {
        case eventID = "event_id"
        case title, category, district, place, organization, audience, fee, isFree, startDate, endDate, time
        case performers, programme, remarks, inquiry, theme, image, link, homepage, latitude, longitude, distance
        case isFavorite
    }

    init(_ listed: ListedEvent) {
        let event = listed.event
        func text(_ text: String) -> String? { text.isEmpty ? nil : text }
        eventID = event.id
        title = event[.title]
        category = event[.category]
        district = event[.district]
        place = event[.place]
        organization = event[.organization]
        audience = event[.audience]
        fee = event[.fee]
        isFree = event.isFree
        startDate = event.startsOn?.description
        endDate = event.endsOn?.description
        time = text(event[.time])
        performers = text(event[.performers])
        programme = text(event[.programme])
        remarks = text(event[.remarks])
        inquiry = text(event[.inquiry])
        theme = text(event[.theme])
        image = text(event.link(.image))
        link = text(event.link(.link))
        homepage = text(event.link(.homepage))
        latitude = event.place?.latitude
        longitude = event.place?.longitude
        distance = listed.distance
        isFavorite = listed.isFavourite
    }
}

/// A page of events.
struct EventListBody: Encodable {
    var data: [EventBody]
    var nextCursor: String

    enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
    }

    init(_ page: Page<ListedEvent>) {
        data = page.items.map(EventBody.init)
        nextCursor = page.next.text
    }
}
