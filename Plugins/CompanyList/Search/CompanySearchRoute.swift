import ViperKit

/// The parameters of the route that searches the people of the list.
struct CompanySearchRoute: RouteArguments {
    static let route = "list/search"

    /// The text to search for at first. Nil to show all people.
    var text: String?
}
