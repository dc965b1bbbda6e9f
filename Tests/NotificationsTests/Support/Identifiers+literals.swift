import Contracts
import TestKit

@testable import Notifications

/// Tests write ids as plain numbers.
extension DeviceID: ExpressibleByIntegerLiteral {}
extension PushID: ExpressibleByIntegerLiteral {}
extension AnnouncementID: ExpressibleByIntegerLiteral {}
extension NotificationID: ExpressibleByIntegerLiteral {}
