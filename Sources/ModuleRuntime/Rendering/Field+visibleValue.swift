import HostSystem
public import ViperKit

extension Field {
    /// The value as a person may see it. A password is as many dots as any other, so that its length is no hint.
    public var visibleValue: String {
        if kind != .password { return printable(value) }
        return value.isEmpty ? "" : "••••••••"
    }
}
