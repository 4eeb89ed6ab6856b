import HostSystem
import ViperKit

/// Returns the error for a name that nothing has. It suggests similar names.
func unknownName(
    _ name: String, _ code: ViperError.Code, _ operation: String, _ cause: String, among names: [String], fix: String
) -> ViperError {
    let near = nearestNames(to: name, in: Set(names))
    return ViperError(
        code, operation: operation, subject: name, cause: cause,
        notes: near.isEmpty ? [] : [.init("did you mean", near.joined(separator: ", "))], fix: fix)
}
