package import ServiceKit

extension Uploads {
    /// Deletes uploads without references. The pending deletions are rows of the database, so that a restart loses none.
    package var collection: PeriodicJob {
        PeriodicJob("uploads", every: .seconds(2)) { try await collectNext() }
    }
}
