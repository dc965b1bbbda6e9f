import Files
import Logging
import Profiles
import ServiceKit

extension EstateDomain {
    /// The regions of new listings, the counts of likes and the most liked ones, the deletion of old cached searches, of old records and of
    /// unused files.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("regions of listings", every: .seconds(2)) {
                do {
                    return try await labels.labelNext()
                } catch let error as EstateError where [.placesUnavailable, .placesExhausted].contains(error) {
                    Logger.current.info("regions: the search for places is unavailable, will retry")
                    return false
                }
            },
            PeriodicJob("likes of the home screen", every: .seconds(FeaturedListings.countPause)) {
                try await picks.countLikes()
                return false
            },
            PeriodicJob("old searches for places", every: .seconds(600)) {
                try await places.cache.prune()
                try await places.quota.prune()
                return false
            },
            PeriodicJob("old records", every: .seconds(3600)) {
                try await reservations.prune()
                try await topics.prune()
                return false
            },
            PeriodicJob("entries of older listings", every: .seconds(60)) { try await listings.completeEntries() },
            LikeCounts.listings.job(in: likes.database),
            pictures.uploads.collection,
        ]
    }
}
