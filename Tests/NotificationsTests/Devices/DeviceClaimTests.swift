import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Notifications

/// The owner of a device token.
@Suite
struct DeviceClaimTests {
    private let device = Device(
        app: .anlaka,
        account: 1,
        session: "s",
        token: "t",
        since: Date(timeIntervalSince1970: 100)
    )

    private func stored(_ id: DeviceID, session: String?, since: TimeInterval) -> StoredDevice {
        StoredDevice(
            id: id,
            account: session == nil ? nil : 5,
            session: session,
            digest: [UInt8(id.rawValue)],
            since: Date(timeIntervalSince1970: since)
        )
    }

    @Test func newDevice_isInserted() {
        #expect(DeviceClaim.of(device, bySession: nil, byToken: nil) == .insert(replacing: nil))
    }

    @Test func newTokenOfSession_renewsDevice() {
        let own = stored(1, session: "s", since: 50)
        #expect(DeviceClaim.of(device, bySession: own, byToken: nil) == .renew(1, replacing: nil))
        let other = stored(2, session: "x", since: 60)
        #expect(DeviceClaim.of(device, bySession: own, byToken: other) == .renew(1, replacing: 2))
    }

    @Test func tokenOfOtherSession_isReplaced() {
        let other = stored(2, session: "x", since: 60)
        #expect(DeviceClaim.of(device, bySession: nil, byToken: other) == .insert(replacing: 2))
        let released = stored(2, session: nil, since: 60)
        #expect(DeviceClaim.of(device, bySession: nil, byToken: released) == .insert(replacing: 2))
    }

    @Test func repeatedRegistration_isConfirmed() {
        let own = stored(1, session: "s", since: 100)
        #expect(DeviceClaim.of(device, bySession: own, byToken: own) == .confirm(1))
    }

    @Test func olderRegistration_isIgnored() {
        let later = stored(2, session: "x", since: 101)
        #expect(DeviceClaim.of(device, bySession: nil, byToken: later) == .ignore)
        #expect(DeviceClaim.of(device, bySession: stored(1, session: "s", since: 101), byToken: nil) == .ignore)
        #expect(DeviceClaim.of(device, bySession: nil, byToken: stored(2, session: nil, since: 101)) == .ignore)
    }
}
