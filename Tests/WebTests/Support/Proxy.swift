import Foundation
import HostDriver
import TestSupport

/// A running nginx that ends TLS in front of a server, with the defaults of Debian's package. It listens at a socket in a
/// folder, so that its public address has the usual port.
final class Proxy: Sendable {
    static let name = "office.example.org"
    static let address = "https://\(name)"
    private let folder: ScratchFolder
    private var socket: String { folder.path + "/proxy" }
    private var jar: String { folder.path + "/jar" }

    /// Starts nginx.
    ///
    /// - Parameter port: The port of the server.
    init(to port: UInt16) async throws {
        folder = try ScratchFolder()
        _ = try await Tool.run(
            "openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder.path + "/key.pem"]
                + ["-out", folder.path + "/cert.pem", "-days", "2", "-subj", "/CN=\(Self.name)"]
                + ["-addext", "subjectAltName=DNS:\(Self.name)"])
        // The settings in `http` are those of Debian's nginx.conf. The paths are in the folder, because this user may be
        // unable to write to others.
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0)-files;"
        }
        let configuration = try folder.write(
            """
            pid \(folder.path)/pid;
            error_log \(folder.path)/error.log;
            master_process off;
            events { worker_connections 768; }
            http {
                sendfile on;
                tcp_nopush on;
                types_hash_max_size 2048;
                include /etc/nginx/mime.types;
                default_type application/octet-stream;
                gzip on;
                access_log off;
                \(temporary.joined(separator: "\n"))
                server {
                    listen unix:\(socket) ssl;
                    server_name \(Self.name);
                    ssl_certificate \(folder.path)/cert.pem;
                    ssl_certificate_key \(folder.path)/key.pem;
                    location / { proxy_pass http://127.0.0.1:\(port); }
                }
            }
            """, to: "nginx.conf")
        // It returns when it listens.
        _ = try await Tool.run("nginx", ["-p", folder.path, "-e", folder.path + "/error.log", "-c", configuration])
    }

    deinit {
        let text = try? String(contentsOfFile: folder.path + "/pid", encoding: .utf8)
        if let process = text.flatMap({ Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) {
            kill(process, SIGTERM)
        }
    }

    private func arguments(_ target: String, _ more: [String]) -> [String] {
        ["-s", "-i", "--cacert", folder.path + "/cert.pem", "--unix-socket", socket, "-b", jar, "-c", jar]
            + more + [Self.address + target]
    }

    /// Requests a page with cookies, and returns the response with its header as text.
    func curl(_ target: String, _ more: String...) async throws -> String {
        try await Tool.run("curl", arguments(target, more))
    }

    /// Opens a stream. Its bytes appear in a file as they arrive.
    ///
    /// - Returns: The path of the file, and the process that writes it, which the caller ends.
    func stream(_ target: String) async throws -> (path: String, process: Int32) {
        let path = folder.path + "/stream"
        let words = arguments(target, ["-N"])
        let process = try await Tool.run(
            "sh", ["-c", #"out=$1; shift; curl "$@" > "$out" 2> /dev/null & echo $!"#, "sh", path] + words)
        guard let process = Int32(process.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildFailure("no process: \(process)")
        }
        return (path, process)
    }
}
