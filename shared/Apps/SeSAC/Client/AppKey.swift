/// The values of the `SeSACKey` header that the gateway accepts in development.
package enum AppKey {
    package static let anlaka = "anlaka-dev-key"
    package static let culture = "culture-dev-key"
}
