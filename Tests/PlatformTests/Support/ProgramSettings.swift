import ServiceKit

@testable import Auth
@testable import Chat
@testable import Community
@testable import Console
@testable import Estate
@testable import Gateway
@testable import Notifications
@testable import Payments
@testable import Sandbox
@testable import Seats
@testable import Workforce

/// How each program reads its settings.
enum ProgramSettings {
    static let readers: [String: @Sendable (inout Settings) throws -> Void] = [
        "auth": { _ = try AuthConfiguration(&$0) },
        "seats": { _ = try SeatsConfiguration(&$0) },
        "workforce": { _ = try WorkforceConfiguration(&$0) },
        "estate": { _ = try EstateConfiguration(&$0) },
        "community": { _ = try CommunityConfiguration(&$0) },
        "chat": { _ = try ChatConfiguration(&$0) },
        "payments": { _ = try PaymentsConfiguration(&$0) },
        "notifications": { _ = try NotificationsConfiguration(&$0) },
        "console": { _ = try ConsoleConfiguration(&$0) },
        "gateway": { _ = GatewayConfiguration(&$0) },
        "sandbox": { _ = SandboxConfiguration(&$0) },
    ]

    static func declarations() throws -> [String: [SettingDeclaration]] {
        try readers.mapValues { try Settings.declarations($0) }
    }
}
