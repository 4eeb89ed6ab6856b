import CCurl
import ViperKit

extension Transfer {
    /// Sets the options for the request on the libcurl handle.
    func prepare(_ authorities: Authorities) {
        demand(ccurl_set_text(easy, CURLOPT_URL, request.url))
        demand(ccurl_set_number(easy, CURLOPT_PATH_AS_IS, 1))
        demand(ccurl_set_number(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP_AND_HTTPS))
        // An empty string accepts all content encodings that this libcurl can decode.
        demand(ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, ""))
        if let file = authorities.file { demand(ccurl_set_text(easy, CURLOPT_CAINFO, file)) }
        if let folder = authorities.folder { demand(ccurl_set_text(easy, CURLOPT_CAPATH, folder)) }
        setHeaders()
        setBody()
        setMethod()
        setLimits()
    }

    private func setHeaders() {
        // In libcurl's syntax, `Name:` without a value removes a header field, and `Name;` sends an empty header field.
        var headers = request.headers.map { field in
            field.value.allSatisfy { $0 == " " || $0 == "\t" } ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        // Remove the header fields that libcurl adds. It guesses Content-Type, and Expect delays the body.
        if request.headers["Content-Type"] == nil { headers.append("Content-Type:") }
        for header in headers + ["Expect:"] {
            // If memory is exhausted, the old list stays valid, and `deinit` frees it.
            guard let longer = curl_slist_append(lines, header) else { return demand(-1) }
            lines = longer
        }
        demand(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, lines.map { UnsafeRawPointer($0) }))
    }

    private func setBody() {
        // Requests with these methods always have a body, which may be empty, because servers expect a Content-Length.
        let isExpected = ["POST", "PUT", "PATCH"].contains(request.method)
        guard request.method != "GET", let body = request.body ?? (isExpected ? [] : nil) else { return }
        demand(ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)))
        // libcurl copies the bytes. The address of an empty array may be NULL, and libcurl would then call a read
        // callback. Any other address works, because libcurl reads no bytes from it.
        body.withUnsafeBytes { bytes in
            demand(ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(easy)))
        }
    }

    private func setMethod() {
        // Use a new connection. If the server closes a reused connection without a response, libcurl repeats the
        // request, which could apply a change twice.
        if !["GET", "HEAD"].contains(request.method) { demand(ccurl_set_number(easy, CURLOPT_FRESH_CONNECT, 1)) }
        switch request.method {
        case "GET": break
        case "HEAD": demand(ccurl_set_number(easy, CURLOPT_NOBODY, 1))
        default: demand(ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method))
        }
    }

    private func setLimits() {
        // Round up, because 0 means no limit.
        let time = max(1, Int((request.timeLimit / .milliseconds(1)).rounded(.up)))
        demand(ccurl_set_number(easy, CURLOPT_TIMEOUT_MS, time))
        // Without this option, libcurl uses a signal to time out name lookups, which can end the process.
        demand(ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1))
        // Without this option, a slow name lookup delays the end of this transfer, and therefore all other transfers.
        // Ignore the result, because libcurl before 7.87 does not have the option.
        ccurl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
    }
}
