import Contracts
import TestKit

@testable import Workforce

/// Tests write ids as plain numbers.
extension SeriesID: ExpressibleByIntegerLiteral {}
extension RoutineTaskID: ExpressibleByIntegerLiteral {}
