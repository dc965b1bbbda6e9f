import Files
import Logging
import ServiceKit

extension EstateDomain {
    /// The regions of new listings, the deletion of old cached searches and of unused files.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("regions of listings", every: .seconds(2)) {
                do {
                    return try await labels.labelNext()
                } catch EstateError.placesUnavailable {
                    Logger.current.info("regions: the search for places is unavailable, will retry")
                    return false
                }
            },
            PeriodicJob("old searches for places", every: .seconds(600)) {
                try await places.cache.prune()
                return false
            },
            pictures.uploads.collection,
        ]
    }
}
