import HostDriver

extension ModuleFixture {
    /// A module that accepts every route.
    static let lax = ModuleFixture("Lax", minimal("viper_entry_v1_Lax"))
}
