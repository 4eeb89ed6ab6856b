/// The file that both scenes read.
enum CompanyFile {
    static let name = "company.json"
}
