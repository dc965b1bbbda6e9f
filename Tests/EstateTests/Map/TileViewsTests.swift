import Contracts
import Synchronization
import TestKit
import Testing
import Values

@testable import Estate

@Suite struct TileViewsTests {
    private static let place = Coordinate(latitude: 37.5, longitude: 127)

    /// The key of the tile of a place.
    private static func key(_ place: Coordinate = place, level: Int = 12) -> TileViews.Key {
        TileViews.Key(
            tile: MapTile.covering(MapBox(around: place), level: level)[0],
            filter: ListingFilter(),
            method: .zoom,
            zoom: Double(level - 1)
        )
    }

    /// A view that says how often it was computed before.
    private static func made(_ number: Int, _ keys: [TileViews.Key], for lifetime: Duration = .seconds(60))
        -> [TileViews.Made]
    {
        let single = MapView.Single(publicID: .init(unchecked: "\(number)"), place: place, card: nil)
        return keys.map { _ in (view: MapView(singles: [single]), lifetime: lifetime) }
    }

    /// What `make` was called for.
    private final class Calls: Sendable {
        let keys = Mutex<[[TileViews.Key]]>([])

        func made(_ keys: [TileViews.Key], for lifetime: Duration = .seconds(60)) -> [TileViews.Made] {
            let number = self.keys.withLock { calls in
                calls.append(keys)
                return calls.count
            }
            return TileViewsTests.made(number, keys, for: lifetime)
        }
    }

    @Test func view_isCachedUntilItsLifetimeEnds() async throws {
        let (views, calls) = (TileViews(), Calls())
        for _ in 0..<2 { _ = try await views.views([Self.key()]) { calls.made($0) } }
        #expect(calls.keys.withLock(\.count) == 1)
        let short = Self.key(level: 13)
        for _ in 0..<2 { _ = try await views.views([short]) { calls.made($0, for: .zero) } }
        #expect(calls.keys.withLock(\.count) == 3)
    }

    @Test func changedCell_removesTilesThatContainIt() async throws {
        let (views, calls) = (TileViews(), Calls())
        let far = Coordinate(latitude: 35.1, longitude: 129)
        let keys = [Self.key(level: 8), Self.key(level: 20), Self.key(far, level: 8), Self.key(far, level: 20)]
        for key in keys { _ = try await views.views([key]) { calls.made($0) } }
        views.remove(containing: [MapTile.cell(of: far)])
        for key in keys { _ = try await views.views([key]) { calls.made($0) } }
        #expect(calls.keys.withLock { $0.dropFirst(keys.count).map { $0 } } == [[keys[2]], [keys[3]]])
    }

    /// The view was read before the change.
    @Test func changeDuringComputation_isNotHidden() async throws {
        let (views, calls) = (TileViews(), Calls())
        let first = try await views.views([Self.key()]) { keys in
            views.remove(containing: [MapTile.cell(of: Self.place)])
            return calls.made(keys)
        }
        let second = try await views.views([Self.key()]) { calls.made($0) }
        let third = try await views.views([Self.key()]) { calls.made($0) }
        #expect([first, second, third].map { $0[0].singles[0].publicID.rawValue } == ["1", "2", "2"])
    }

    @Test func concurrentCallers_shareOneComputation() async throws {
        let (views, calls, gate) = (TileViews(), Calls(), AsyncStream<Void>.makeStream())
        async let first = views.views([Self.key()]) { keys in
            for await _ in gate.stream {}
            return calls.made(keys)
        }
        async let second = views.views([Self.key()]) { keys in
            for await _ in gate.stream {}
            return calls.made(keys)
        }
        gate.continuation.finish()
        #expect(try await first == second)
        #expect(calls.keys.withLock(\.count) == 1)
    }

    @Test func cancelledCaller_doesNotEndTheComputationOfOthers() async throws {
        let (views, calls, gate, begun) = (
            TileViews(), Calls(), AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream()
        )
        let first = Task {
            try await views.views([Self.key()]) { keys in
                begun.continuation.finish()
                for await _ in gate.stream {}
                try Task.checkCancellation()
                return calls.made(keys)
            }
        }
        for await _ in begun.stream {}
        let second = Task { try await views.views([Self.key()]) { calls.made($0) } }
        first.cancel()
        gate.continuation.finish()
        #expect(try await second.value.count == 1)
        #expect(calls.keys.withLock(\.count) == 1)
    }

    @Test func failure_isNotCached() async throws {
        struct Failure: Error {}
        let (views, calls) = (TileViews(), Calls())
        await #expect(throws: Failure.self) { try await views.views([Self.key()]) { _ in throw Failure() } }
        #expect(try await views.views([Self.key()]) { calls.made($0) }.count == 1)
    }

    /// More views than the cache holds are all computed.
    @Test func fullCache_isEmptied() async throws {
        let (views, calls) = (TileViews(limit: 4), Calls())
        let keys = (8..<18).map { Self.key(level: $0) }
        #expect(try await views.views(keys) { calls.made($0) }.count == keys.count)
        #expect(try await views.views(keys) { calls.made($0) }.count == keys.count)
    }
}
