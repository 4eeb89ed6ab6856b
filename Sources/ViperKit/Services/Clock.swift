extension ServiceKey where Service == any Clock<Duration> {
    /// Tells the time and waits, `clock` in manifests. The host provides it; a test provides one that it sets itself. Since
    /// ViperKit 1.1.
    public static var clock: Self { Self("clock") }
}
