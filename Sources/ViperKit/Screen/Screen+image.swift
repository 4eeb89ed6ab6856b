extension Screen {
    /// An image from a module's resources.
    public struct Image: Sendable, Equatable, Codable {
        /// The image's path in the module's resources, such as `logo.png`.
        public var path: String
        /// The text in place of the image, for people who cannot see it and for renderers without images. Empty for an image
        /// that only decorates.
        public var alternative: String

        /// Creates an image.
        public init(path: String, alternative: String) { (self.path, self.alternative) = (path, alternative) }
    }
}
