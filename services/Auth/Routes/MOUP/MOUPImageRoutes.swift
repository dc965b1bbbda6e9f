import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// MOUP's profile picture (contract 1.4, call 9).
struct MOUPImageRoutes {
    let profiles: Profiles
    let images: ProfileImages

    struct ImageResponse: Encodable {
        var userId: AccountID
        /// A URL that the client fetches without an authorization header.
        var imageUrl: String
    }

    /// `POST /files/users/profile-images`, a multipart form → 200; the picture replaces the profile's. `FILE_400` for a
    /// file that is not a picture, or is too large.
    func upload(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let path = try await images.keep(picture(request, context), by: context.account, app: context.app)
        var edit = ProfileEdit()
        edit.image = path
        let origin = Origin(request, context)
        let profile = try await profiles.update(context.account, app: context.app, edit, origin: origin)
        return try .json(ImageResponse(userId: profile.account.id, imageUrl: path))
    }

    private func picture(_ request: Request, _ context: SignedInContext) async throws -> IncomingFile {
        do {
            let form = try await UploadForm.profile(request, picture: "file", app: context.app, into: images)
            guard let image = form.image else {
                throw Problem(.malformed, code: "FILE_400", message: "A file part named file is required.")
            }
            return image
        } catch FilesError.noSpace {
            throw FilesError.noSpace
        } catch let error as FilesError {
            throw Problem(.malformed, code: "FILE_400", message: error.problem.message)
        }
    }
}
