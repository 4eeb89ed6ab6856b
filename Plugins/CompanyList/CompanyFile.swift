/// The file that the list and the detail screen read.
enum CompanyFile {
    static let name = "company.json"
}
