import Contracts
import FoundationEssentials

/// A post of a With Suhyeon user who looks for a companion (contract 4.3).
struct CompanionPost: Sendable, Equatable {
    var id: CompanionPostID
    var author: AccountID
    /// Where to meet.
    var region: Region
    /// Whether the companion should be a man; otherwise a woman.
    var wantsMan: Bool
    var age: AgeRange
    var requests: [CompanionRequest]
    var meetsAt: Date
    /// Won.
    var price: Int
    var title: String
    var content: String
    /// Whether the author has found a companion.
    var isMatched: Bool
    var createdAt: Date

    /// Whether the meeting time has passed. Computed, not stored.
    func isExpired(at now: Date) -> Bool { meetsAt < now }
}

/// The requested age of a companion (contract 3.3).
enum AgeRange: String, Sendable, CaseIterable {
    case earlyTwenties = "EARLY20"
    case lateTwenties = "LATE20"
    case earlyThirties = "EARLY30"
    case lateThirties = "LATE30"
    case forties = "FORTY"

    /// The app's text, such as `20 ~ 24`.
    var text: String {
        switch self {
        case .earlyTwenties: "20 ~ 24"
        case .lateTwenties: "25 ~ 29"
        case .earlyThirties: "30 ~ 34"
        case .lateThirties: "35 ~ 39"
        case .forties: "40세 이상"
        }
    }

    /// The text without spaces, for the details of a post.
    var tightText: String { text.filter { $0 != " " } }

    /// - Parameter text: With or without spaces.
    init?(text: String) {
        let tight = text.filter { $0 != " " }
        guard let range = Self.allCases.first(where: { $0.tightText == tight }) else { return nil }
        self = range
    }
}

/// A request to a companion (contract 3.3).
enum CompanionRequest: String, Sendable, CaseIterable {
    case photo = "PHOTO"
    case call = "CALL"
    case video = "VIDEO"

    var text: String {
        switch self {
        case .photo: "사진 촬영"
        case .call: "전화 통화"
        case .video: "영상 통화"
        }
    }

    init?(text: String) {
        guard let request = Self.allCases.first(where: { $0.text == text }) else { return nil }
        self = request
    }
}
