import Files
import Logging
import ServiceKit

extension CommunityDomain {
    /// The daily refresh of the city's events, and the deletion of unused files.
    var jobs: [PeriodicJob] {
        [
            PeriodicJob("events of the city", every: .seconds(5)) {
                if try await calendar.runIfDue() { Logger.current.info("calendar: events refreshed") }
                return false
            },
            attachments.uploads.collection,
        ]
    }
}
