/// The version of all programs, which are built and released together.
package enum ProductVersion {
    /// By semantic versioning.
    package static let current = "1.0.0"
}
