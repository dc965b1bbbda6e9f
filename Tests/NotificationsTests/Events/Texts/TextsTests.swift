import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Notifications

/// Texts of notifications.
@Suite
struct TextsTests {
    private static func seats(
        _ kind: SeatsEvents.AlertKind,
        _ arguments: [String],
        payload: String? = nil
    ) -> InAppNotificationDraft {
        InAppNotificationDraft(
            SeatsEvents.PassengerAlerted(
                account: 1,
                kind: kind,
                arguments: arguments,
                payload: payload,
                seen: false,
                id: UUID()
            )
        )
    }

    private static func workforce(_ kind: WorkforceEvents.AlertKind, _ arguments: [String]) -> InAppNotificationDraft {
        InAppNotificationDraft(
            WorkforceEvents.MemberAlerted(
                account: 11,
                sender: 12,
                kind: kind,
                arguments: arguments,
                workplace: 7,
                worker: 31,
                shift: 912,
                routine: 5
            )
        )
    }

    private static let strange = [
        [], [""], [" ", "\u{0}"], ["가", "나", "다", "라"], [String(repeating: "긴", count: 5000)],
        Array(repeating: "a\nb", count: 3),
    ]

    @Test(arguments: SeatsEvents.AlertKind.allCases)
    func seatCatcherKinds_withAnyArguments_areReadable(_ kind: SeatsEvents.AlertKind) {
        for arguments in Self.strange {
            let draft = Self.seats(kind, arguments)
            #expect(draft.kind == kind.rawValue && draft.app == .seatcatcher && draft.data == [:])
            Self.expectReadable(draft)
        }
        #expect(Self.seats(kind, [], payload: "{}").data == ["payload": "{}"])
        #expect(PushKind.all(of: .seatcatcher).contains(kind.rawValue))
    }

    @Test(arguments: WorkforceEvents.AlertKind.allCases)
    func moupKinds_withAnyArguments_areReadable(_ kind: WorkforceEvents.AlertKind) {
        for arguments in Self.strange {
            let draft = Self.workforce(kind, arguments)
            #expect(draft.kind == kind.rawValue && draft.app == .moup && draft.sender == 12)
            #expect(draft.data["workplaceId"] == "7" && draft.data["workerId"] == "31")
            #expect(draft.data["content"] == draft.body && draft.idKey == "notificationId")
            #expect(
                ["notificationList", "routineDetail", "workDetail", "home"].contains(draft.data["destination"] ?? "")
            )
            Self.expectReadable(draft)
        }
        #expect(PushKind.all(of: .moup).contains(kind.rawValue))
    }

    private static func expectReadable(_ draft: InAppNotificationDraft) {
        for text in [draft.title, draft.body] {
            #expect(!text.isEmpty && text.unicodeScalars.count < 400)
            #expect(
                !text.contains("\n") && !text.contains("\u{0}") && !text.contains("nil") && !text.contains("Optional")
            )
        }
    }

    @Test
    func texts_matchContract() {
        let request = Self.seats(.seatRequestReceived, ["나무", "300"])
        #expect(request.title.contains("나무") && request.body.contains("나무") && request.body.contains("300"))
        #expect(Self.seats(.seatRequestAccepted, ["나무", "강남"]).body.contains("강남"))
        #expect(Self.seats(.seatExchangeSuccess, ["300", "나무", "300"]).body == "나무님에게 자리를 양보하고 300 크레딧을 받았습니다.")
        for (kind, title) in [
            (WorkforceEvents.AlertKind.joinRequested, "근무지 참가 요청"), (.joinAccepted, "근무지 참가 승인"),
            (.joinRejected, "근무지 참가 거부"),
        ] { #expect(Self.workforce(kind, ["마루", "언덕카페"]).title == title) }
        #expect(Self.workforce(.joinRequested, ["마루", "언덕카페"]).body == "마루님이 언덕카페에 참가를 요청했습니다.")
        #expect(Self.workforce(.joinAccepted, ["언덕카페"]).data["destination"] == "notificationList")
        #expect(Self.workforce(.shiftsAdded, ["언덕카페", "2025-11-05", "3"]).body == "언덕카페에 11월 5일 외 2건의 근무가 추가되었습니다.")
        #expect(Self.workforce(.shiftsRemoved, ["언덕카페", "2025-11-05", "1"]).body == "언덕카페의 11월 5일 근무가 삭제되었습니다.")
    }

    @Test
    func commentAndReply_nameKnownSenders() {
        func draft(_ isReply: Bool, _ name: String?) -> InAppNotificationDraft {
            let event = CommunityEvents.CommentWritten(
                app: .culture,
                account: 31,
                sender: 32,
                post: "a",
                comment: "b",
                text: String(repeating: "글", count: 3000),
                isReply: isReply
            )
            return InAppNotificationDraft(event, from: name)
        }
        #expect(draft(false, "별").title == "별님이 댓글을 남겼습니다")
        #expect(draft(true, nil).title == "누군가 답글을 남겼습니다")
        #expect(draft(true, nil).body.unicodeScalars.count == ShownText.body)
        #expect(draft(true, nil).data == ["post_id": "a", "comment_id": "b"])
    }
}
