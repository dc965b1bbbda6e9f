import Contracts
import TestKit

@testable import Payments

/// Tests write ids as plain numbers.
extension OrderID: ExpressibleByIntegerLiteral {}
