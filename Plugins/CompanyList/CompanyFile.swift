/// The file that all screens of the module read.
enum CompanyFile {
    static let name = "company.json"
}
