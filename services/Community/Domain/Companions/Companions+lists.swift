import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit
import Values

extension Companions {
    /// Maximum length of a list: the app does not page.
    static let listLimit = 1000
    /// Number of posts on the home screen.
    static let homeLimit = 3

    /// The region of a list.
    enum Place: Sendable, Equatable {
        /// The region that the viewer has chosen.
        case viewers
        /// A region by name.
        case named(String)
    }

    /// Posts of a region, newest first, including expired ones and the viewer's own. A location's "all" region includes
    /// the whole location.
    ///
    /// - Parameter day: Day of the meeting, taken as the nearest day with this month and day; nil for any.
    /// - Returns: Also the region.
    /// - Throws: `CompanionError.regionUnknown`; `PersonUnknown`; `InternalCallError` while auth, which knows the
    ///   blocks, is unavailable.
    func list(
        in place: Place,
        on day: YearlyDay?,
        for account: AccountID
    ) async throws -> (region: Region, posts: [CompanionPost]) {
        let viewer = try await people.person(account)
        let region: Region
        switch place {
        case .viewers: region = viewer.chosenRegion
        case .named(let name):
            guard let named = Region(name: name) else { throw CompanionError.regionUnknown }
            region = named
        }
        let posts = try await store.newest(
            in: region,
            on: day?.nearest(to: SeoulTime.date(of: now())),
            for: account,
            except: blockers(of: account),
            limit: Self.listLimit,
            database
        )
        return (region, posts)
    }

    /// The content of the home screen.
    struct Home: Sendable {
        var viewer: Person
        var region: Region
        /// Random posts of the viewer's region that have not expired, in the order of their IDs.
        var posts: [CompanionPost]
        /// Number of With Suhyeon's users.
        var people: Int
    }

    /// - Throws: `PersonUnknown`; `InternalCallError` while auth, which knows the blocks, is unavailable.
    func home(of account: AccountID) async throws -> Home {
        let viewer = try await people.person(account)
        let region = viewer.chosenRegion
        let posts = try await store.some(
            in: region,
            after: now(),
            for: account,
            except: blockers(of: account),
            limit: Self.homeLimit,
            database
        )
        return Home(viewer: viewer, region: region, posts: posts, people: try await memberCount.people())
    }

    /// The posts of an account, newest first.
    func written(by account: AccountID) async throws -> [CompanionPost] {
        try await store.written(by: account, limit: Self.listLimit, database)
    }

    /// The posts with these IDs, in no particular order.
    func posts(_ ids: [CompanionPostID]) async throws -> [CompanionPost] {
        try await store.posts(ids, in: database)
    }

    /// Accounts that have blocked the account's phone number, and are hidden from it (contract 4.4).
    private func blockers(of account: AccountID) async throws -> [AccountID] {
        try await auth.get(AuthAPI.Blockers.path(account), as: AuthAPI.Blockers.self).accounts
    }
}

extension Person {
    /// The chosen region, or the whole country if it is not known yet.
    var chosenRegion: Region { region.flatMap { Region(key: $0) } ?? Region.all[0] }
}
