import Contracts
import Postgres
import Profiles
import ServiceKit

/// The city's events: search by the app and by new clients, and likes.
struct CulturalEvents: Sendable {
    let database: PostgresClient
    let people: People
    let favourites: FavoriteEvents
    private let store = CulturalEventStore()

    /// A range of the events that match a filter, latest start first.
    ///
    /// - Parameter range: Positions, starting at 0.
    /// - Returns: Also the total number of matches.
    func events(_ filter: EventFilter, in range: Range<Int>) async throws -> (total: Int, events: [CulturalEvent]) {
        let total = try await store.count(filter, in: database)
        guard range.lowerBound < total else { return (total, []) }
        return (total, try await store.events(filter, in: range, database))
    }

    /// A page of the same list from the view of an account.
    func search(
        _ filter: EventFilter,
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<ListedEvent> {
        let person = try await people.person(account)
        let found = try await store.search(filter, for: person, after: cursor, limit: limit + 1, in: database)
        return Page(found, limit: limit)
    }

    /// - Throws: `CommunityError.eventNotFound`.
    func event(_ id: PublicID, for account: AccountID) async throws -> ListedEvent {
        let person = try await people.person(account)
        guard let found = try await store.events([id], for: person, in: database).first else {
            throw CommunityError.eventNotFound
        }
        return found
    }

    /// Likes an event, as if the app had created a post for it. Idempotent.
    ///
    /// - Throws: `CommunityError.eventNotFound`, `PersonUnknown`.
    func like(_ id: PublicID, by account: AccountID) async throws {
        let event = try await event(id, for: account).event
        let person = try await people.person(account)
        let draft = PostDraft(
            category: event[.title] + person.publicID.rawValue,
            title: event[.title],
            content: event.favouriteContent
        )
        _ = try await favourites.create(draft, by: account)
    }

    /// Removes a like, also of an event that is no longer in the calendar.
    ///
    /// - Throws: `PersonUnknown`.
    func unlike(_ id: PublicID, by account: AccountID) async throws {
        let person = try await people.person(account)
        try await store.unlike(id, by: person, in: database)
    }

    /// The liked events of an account, latest like first: each as in the calendar, or else as it was when it was liked.
    func favourites(of account: AccountID, after cursor: PageCursor?, limit: Int) async throws -> Page<ListedEvent> {
        let person = try await people.person(account)
        let page = Page(try await favourites.found(of: account, after: cursor, limit: limit + 1), limit: limit)
        let liked = try await favourites.favourites(page.items)
        let known = try await store.events(liked.map(\.eventID), for: person, in: database)
        let byID = Dictionary(known.map { ($0.event.id, $0) }) { first, _ in first }
        let events = liked.compactMap { favourite in
            byID[favourite.eventID]
                ?? CulturalEvent(favouriteContent: favourite.content).map { ListedEvent($0, isFavourite: true) }
        }
        return Page(events, next: page.next)
    }
}
