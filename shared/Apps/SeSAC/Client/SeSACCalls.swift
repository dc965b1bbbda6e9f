package import Apps

/// The calls that Anlaka and Seoul Culture have in common.
package protocol SeSACCalls: SessionCalls, NotificationCalls {
    var checkEmail: Operation { get }
    var join: Operation { get }
    var signIn: Operation { get }
    var refreshTokens: Operation { get }
    var withdraw: Operation { get }
    var getOwnProfile: Operation { get }
    var updateOwnProfile: Operation { get }
    var searchUsers: Operation { get }
    var getUserProfile: Operation { get }
    var getProfileImage: Operation { get }
    var createPost: Operation { get }
    var uploadPostFiles: Operation { get }
    var listLikedPosts: Operation { get }
    var listPostsByUser: Operation { get }
    var getPost: Operation { get }
    var updatePost: Operation { get }
    var deletePost: Operation { get }
    var setLike: Operation { get }
    var createComment: Operation { get }
    var updateComment: Operation { get }
    var deleteComment: Operation { get }
    var reportPost: Operation { get }
    var getPostFile: Operation { get }
    var validatePayment: Operation { get }
    var registerPushToken: Operation { get }
    var getPreferences: Operation { get }
    var updatePreferences: Operation { get }
}

extension Anlaka: SeSACCalls {}
extension Culture: SeSACCalls {}
