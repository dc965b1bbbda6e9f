import Files
import Logging
import Profiles
import ServiceKit

extension CommunityDomain {
    /// The daily refresh of the city's events, the counts of likes, the deletion of old attendances and of unused files.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("events of the city", every: .seconds(5)) {
                if try await calendar.runIfDue() { Logger.current.info("calendar: events refreshed") }
                return false
            },
            PeriodicJob("old attendances", every: .seconds(3600)) {
                try await attendance.foldOld()
                return false
            },
            LikeCounts.posts.job(in: likes.database),
            attachments.uploads.collection,
        ]
    }
}
