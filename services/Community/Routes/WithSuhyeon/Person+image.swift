import Profiles

extension Person {
    /// The name of an image in With Suhyeon's app; the first one if the profile has none.
    var appImage: String { image ?? "img_purple_suma" }
}
