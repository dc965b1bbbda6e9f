import Contracts
import TestKit

@testable import Estate

/// Tests write ids as plain numbers.
extension ListingID: ExpressibleByIntegerLiteral {}
