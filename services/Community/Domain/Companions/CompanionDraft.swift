import Contracts
import FoundationEssentials
import Values

/// A validated companion post to be created (contract 1.3, PostCreate).
struct CompanionDraft: Sendable, Equatable {
    let wantsMan: Bool
    let age: AgeRange
    /// Without duplicates.
    let requests: [CompanionRequest]
    let region: Region
    let meetsAt: Date
    /// Won.
    let price: Int
    let title: String
    let content: String
    /// Idempotency key of the request.
    let requestKey: String?

    static let prices = 0...100_000
    static let titleLimit = 30
    static let contentLimit = 200

    /// - Parameter meetsAt: nil when the date is invalid. May be in the past, since the app's dates are all of one
    ///   year.
    /// - Throws: `CommunityError.rule` with a line for each invalid field, or else a `CompanionError`.
    init(
        wantsMan: Bool,
        age: String,
        requests: [String],
        region: String,
        meetsAt: Date?,
        price: Int,
        title: String,
        content: String,
        requestKey: String? = nil
    ) throws {
        let broken = [
            TypedText.isValid(title, limit: Self.titleLimit)
                ? nil : "title must have 1 to \(Self.titleLimit) characters that can be shown.",
            TypedText.isValid(content, limit: Self.contentLimit, manyLines: true)
                ? nil : "content must have 1 to \(Self.contentLimit) characters that can be shown.",
            age.allSatisfy(\.isWhitespace) ? "age must not be blank." : nil,
            region.allSatisfy(\.isWhitespace) ? "region must not be blank." : nil,
            meetsAt == nil ? "date must be a day and a time such as 2025-01-25T18:00." : nil,
            requestKey.map { TypedText.isValid($0, limit: 200) } ?? true
                ? nil : "Idempotency-Key must have 1 to 200 characters that can be shown.",
        ].compactMap(\.self)
        guard broken.isEmpty, let meetsAt else { throw CommunityError.rule(broken.map { "\($0)\n" }.joined()) }
        guard let age = AgeRange(text: age) else { throw CompanionError.ageUnknown }
        guard let region = Region(name: region) else { throw CompanionError.regionUnknown }
        let kinds = requests.compactMap(CompanionRequest.init(text:))
        guard kinds.count == requests.count else { throw CompanionError.requestUnknown }
        guard Self.prices.contains(price) else { throw CompanionError.priceOutOfRange }
        var seen: Set<CompanionRequest> = []
        self.wantsMan = wantsMan
        self.age = age
        self.requests = kinds.filter { seen.insert($0).inserted }
        self.region = region
        self.meetsAt = meetsAt
        self.price = price
        self.title = title
        self.content = content
        self.requestKey = requestKey
    }
}
