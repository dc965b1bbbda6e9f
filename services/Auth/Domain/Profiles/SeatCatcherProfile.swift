/// The pictures and tags that SeatCatcher knows (SeatCatcher contract 3.3).
enum SeatCatcherProfile {
    static let images = ["IMAGE_1", "IMAGE_2", "IMAGE_3", "IMAGE_4", "IMAGE_5", "IMAGE_6"]
    /// The client cannot read a profile without a picture, so everybody has one from the start.
    static let firstImage = "IMAGE_1"
    static let tags = [
        "USERTAG_NULL", "USERTAG_PREGNANT", "USERTAG_LONGDISTANCE", "USERTAG_LOWHEALTH", "USERTAG_DISABLED",
        "USERTAG_CARRIER",
    ]

    /// What somebody wants changed; nil leaves a part as it is.
    struct Change: Sendable, Equatable {
        var nickname: String?
        var image: String?
        /// Replaces the whole set.
        var tags: Set<String>?
        var onboarded: Bool?

        /// - Throws: `AccountError` for a name, a picture or a tag that does not exist.
        init(nickname: String?, image: String?, tags: [String]?, onboarded: Bool?) throws(AccountError) {
            if let nickname { self.nickname = try Nickname.seatCatcher(nickname) }
            if let image {
                guard images.contains(image) else { throw .imageUnknown }
                self.image = image
            }
            if let tags {
                for tag in tags where !SeatCatcherProfile.tags.contains(tag) { throw .tagUnknown(tag) }
                self.tags = Set(tags)
            }
            self.onboarded = onboarded
        }

        /// Whether others see a difference.
        var isVisible: Bool {
            nickname != nil || image != nil || tags != nil
        }
    }
}
