import TestSupport

extension ModuleFixture {
    /// A module that answers whatever it is asked for.
    static let lax = ModuleFixture("Lax", minimal("viper_module_v1_Lax"))
}
