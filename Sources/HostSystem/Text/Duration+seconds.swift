extension Duration {
    /// The duration in seconds for messages, such as "5 s" or "0.5 s".
    package var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
