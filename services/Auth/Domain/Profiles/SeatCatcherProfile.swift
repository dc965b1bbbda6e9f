/// The pictures and tags of SeatCatcher (SeatCatcher contract 3.3).
enum SeatCatcherProfile {
    static let images = ["IMAGE_1", "IMAGE_2", "IMAGE_3", "IMAGE_4", "IMAGE_5", "IMAGE_6"]
    /// The initial picture: the client cannot decode a profile without one.
    static let firstImage = "IMAGE_1"
    static let tags = [
        "USERTAG_NULL", "USERTAG_PREGNANT", "USERTAG_LONGDISTANCE", "USERTAG_LOWHEALTH", "USERTAG_DISABLED",
        "USERTAG_CARRIER",
    ]

    /// Changes of a profile; nil leaves a field unchanged.
    struct Change: Sendable, Equatable {
        var nickname: String?
        var image: String?
        /// Replaces the whole set.
        var tags: Set<String>?
        var onboarded: Bool?

        /// - Throws: `AccountError` for an invalid name, or an unknown picture or tag.
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

        /// Whether the change is visible to other users.
        var isVisible: Bool {
            nickname != nil || image != nil || tags != nil
        }
    }
}
