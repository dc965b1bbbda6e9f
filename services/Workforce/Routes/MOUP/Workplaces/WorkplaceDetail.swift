import Apps
import Contracts
import Values

/// A workplace as read by its members (MOUP contract 1.4, call 14): the common part and the caller's own part.
struct WorkplaceDetail: Encodable, Equatable {
    var workplaceId: WorkplaceID
    var workplaceName: String
    var categoryName: String
    @Nullable var address: String?
    @Nullable var latitude: Double?
    @Nullable var longitude: Double?
    var isShared: Bool
    var status: WorkplaceSummary.Status
    var fiveOrMoreEmployees: Bool
    // One of the two is nil, and its key is omitted.
    var workerBasedLabelColor: String?
    var ownerBasedLabelColor: String?
    var salaryDetailInfo: SalaryDetail?

    /// - Parameter wage: nil for the owner.
    init(_ place: Workplaces.Place, wage: Wage?) {
        let workplace = place.workplace
        workplaceId = workplace.id
        workplaceName = workplace.name
        categoryName = workplace.category
        address = workplace.address
        latitude = workplace.latitude
        longitude = workplace.longitude
        isShared = workplace.isShared
        status = WorkplaceSummary(workplace, isAccepted: place.worker.isAccepted).status
        fiveOrMoreEmployees = workplace.hasFiveOrMoreEmployees
        if let wage {
            workerBasedLabelColor = place.worker.workerColor ?? LabelColor.usual
            salaryDetailInfo = SalaryDetail(wage)
        } else {
            ownerBasedLabelColor = place.worker.ownerColor ?? LabelColor.usual
        }
    }
}

/// A workplace as shown to a user with its invite code (MOUP contract 1.4, call 18).
struct InvitedWorkplace: Encodable, Equatable {
    var workplaceId: WorkplaceID
    var workplaceName: String
    var categoryName: String
    @Nullable var address: String?
    @Nullable var latitude: Double?
    @Nullable var longitude: Double?

    init(_ workplace: Workplace) {
        workplaceId = workplace.id
        workplaceName = workplace.name
        categoryName = workplace.category
        address = workplace.address
        latitude = workplace.latitude
        longitude = workplace.longitude
    }
}
