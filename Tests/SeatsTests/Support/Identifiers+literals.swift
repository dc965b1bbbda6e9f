import Contracts
import TestKit

@testable import Seats

/// Tests write ids as plain numbers.
extension JourneyID: ExpressibleByIntegerLiteral {}
extension YieldRequestID: ExpressibleByIntegerLiteral {}
extension LiveMessageID: ExpressibleByIntegerLiteral {}

/// Tests count messages: `2...1000`.
extension LiveMessageID: Strideable {}
