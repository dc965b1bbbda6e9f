import CivilTime
import Contracts
import FoundationEssentials
import InternalClient
import People
import Postgres

extension Companions {
    /// The app cannot page its lists, so they end here.
    static let listLimit = 1000
    /// Posts on the home screen.
    static let homeLimit = 3

    /// Which region a list is of.
    enum Place: Sendable, Equatable {
        /// The one that the viewer has chosen.
        case viewers
        /// The name of one.
        case named(String)
    }

    /// Posts of a region, the newest first, expired ones and the viewer's own too. An "all" stands for its whole location.
    ///
    /// - Parameter day: when they want to meet: the nearest day of this kind; nil for any.
    /// - Returns: also the region that was meant.
    /// - Throws: `CompanionError.regionUnknown`; `PersonUnknown`; `InternalCallError` while it cannot be told who is not to
    ///   be seen.
    func list(
        in place: Place,
        on day: YearlyDay?,
        for account: Int64
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

    /// What the home screen shows.
    struct Home: Sendable {
        var viewer: Person
        var region: Region
        /// Of the viewer's very region and not expired: any, in the order of their ids.
        var posts: [CompanionPost]
        /// People of With Suhyeon.
        var people: Int
    }

    /// - Throws: `PersonUnknown`; `InternalCallError` while it cannot be told who is not to be seen.
    func home(of account: Int64) async throws -> Home {
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
        return Home(viewer: viewer, region: region, posts: posts, people: try await headcount.people())
    }

    /// What somebody has written, the newest first.
    func written(by account: Int64) async throws -> [CompanionPost] {
        try await store.written(by: account, limit: Self.listLimit, database)
    }

    /// Those of some posts that are there, in no order.
    func posts(_ ids: [Int64]) async throws -> [CompanionPost] {
        try await store.posts(ids, in: database)
    }

    /// Who has blocked somebody's phone number, and is hidden from them (contract 4.4).
    private func blockers(of account: Int64) async throws -> [Int64] {
        try await auth.get(AuthAPI.Blockers.path(account), as: AuthAPI.Blockers.self).accounts
    }
}

extension Person {
    /// The region that they have chosen; the whole country until it is known.
    var chosenRegion: Region { region.flatMap { Region(key: $0) } ?? Region.all[0] }
}
