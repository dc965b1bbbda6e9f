import People

extension Person {
    /// The name of one of the images that With Suhyeon's app has; the first, should auth have told none.
    var appImage: String { image ?? "img_purple_suma" }
}
