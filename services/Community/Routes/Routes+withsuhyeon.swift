import Hummingbird
import ServiceHost

extension Routes {
    /// With Suhyeon (contract 1.2).
    func withSuhyeon(_ open: RouterGroup<AppRequestContext>) {
    }
}
