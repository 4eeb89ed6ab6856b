/// The facts that a page needs in addition to its window's state.
struct PageContext: Sendable {
    /// The window's ID.
    var window: Int
    /// The token that each form carries. It belongs to the session.
    var token: String
    /// The number of this page's forms. The server executes only one POST with it.
    var nonce: String
    /// The page's path and query, which begins with `/`.
    var address: String
    /// A line above the content, such as an error. Nil if there is none.
    var notice: String?
}
