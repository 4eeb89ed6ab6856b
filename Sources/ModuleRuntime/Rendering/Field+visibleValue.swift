import HostSystem
package import ViperKit

extension Field {
    /// The value to display. A secret is displayed as a fixed number of dots, so that it does not reveal its length.
    package var visibleValue: String {
        if !kind.isSecret { return printable(value) }
        return value.isEmpty ? "" : "••••••••"
    }
}
