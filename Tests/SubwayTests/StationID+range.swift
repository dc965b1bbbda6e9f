import Contracts
import TestKit

@testable import Subway

/// Tests count stations: `180...184`.
extension StationID: Strideable {}
