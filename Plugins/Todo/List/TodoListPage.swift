/// A page of the list.
struct TodoListPage: Equatable {
    /// The rows on the page.
    let rows: Range<Int>
    /// The page's number, from 1.
    let number: Int
    /// The number of pages. At least 1.
    let count: Int

    /// Creates the page that contains a row.
    ///
    /// - Parameters:
    ///   - row: The row's index. If there is no such row, the last page is created.
    ///   - rows: The number of rows.
    ///   - size: The number of rows on a page. At least 1.
    init(containing row: Int, of rows: Int, size: Int) {
        let index = max(0, min(row, rows - 1)) / size
        self.rows = index * size..<min(rows, (index + 1) * size)
        (number, count) = (index + 1, max(1, (rows + size - 1) / size))
    }
}
