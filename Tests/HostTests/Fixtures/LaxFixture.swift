import HostDriver

extension ModuleFixture {
    /// A module that accepts every route.
    static let lax = ModuleFixture("Lax", minimal("viper_module_v1_Lax"))
}
