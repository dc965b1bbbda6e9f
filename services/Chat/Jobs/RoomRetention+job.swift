import ServiceKit

extension RoomRetention {
    /// The daily deletion of unused rooms.
    var job: PeriodicJob {
        PeriodicJob("unused rooms", every: .seconds(86_400)) {
            try await prune()
            return false
        }
    }
}
