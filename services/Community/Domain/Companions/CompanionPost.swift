import Contracts
import FoundationEssentials

/// Somebody of With Suhyeon looks for a companion (contract 4.3).
struct CompanionPost: Sendable, Equatable {
    var id: Int64
    var author: Int64
    /// Where they want to meet.
    var region: Region
    /// Whether the companion is to be a man, or a woman.
    var wantsMan: Bool
    var age: AgeRange
    var requests: [CompanionRequest]
    var meetsAt: Date
    /// Won.
    var price: Int
    var title: String
    var content: String
    /// Whether its author has found somebody.
    var isMatched: Bool
    var createdAt: Date

    /// Whether the time to meet is over. Nothing is stored of that.
    func isExpired(at now: Date) -> Bool { meetsAt < now }
}

/// How old a companion is to be (contract 3.3).
enum AgeRange: String, Sendable, CaseIterable {
    case earlyTwenties = "EARLY20"
    case lateTwenties = "LATE20"
    case earlyThirties = "EARLY30"
    case lateThirties = "LATE30"
    case forties = "FORTY"

    /// What the app sends and lists, e.g. `20 ~ 24`.
    var text: String {
        switch self {
        case .earlyTwenties: "20 ~ 24"
        case .lateTwenties: "25 ~ 29"
        case .earlyThirties: "30 ~ 34"
        case .lateThirties: "35 ~ 39"
        case .forties: "40세 이상"
        }
    }

    /// The same without spaces, as the page of one post has it.
    var tightText: String { text.filter { $0 != " " } }

    /// - Parameter text: with spaces or without.
    init?(text: String) {
        let tight = text.filter { $0 != " " }
        guard let range = Self.allCases.first(where: { $0.tightText == tight }) else { return nil }
        self = range
    }
}

/// What a companion is asked for (contract 3.3).
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
