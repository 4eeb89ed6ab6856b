import ViperKit

/// `host completion SHELL`: prints the script with which a shell completes command lines of the host.
struct CompletionCommand: Command {
    var shell = ""

    static let name = "completion"
    static let summary = "Print the script that completes command lines in a shell"
    static let example = "completion bash"
    static let operands = [Operand("bash|zsh", \Self.shell)]
    static let options: [Option<Self>] = []
    static let details =
        """
        Put one of these lines into ~/.bashrc or, after compinit, into ~/.zshrc:

          source <(host completion bash)
          source <(host completion zsh)

        The script runs the host that is in PATH. It completes commands, options, files, and the routes, parameters, \
        modules, services and settings of the root. It loads no module.
        """

    func output() throws -> String {
        switch shell {
        case "bash": return Self.bash
        case "zsh": return Self.zsh
        default: throw invalidArgument(shell, "unknown shell", fix: "write bash or zsh")
        }
    }

    // The host has already quoted the suggestions. Bash replaces $2, the end of the line after its last word break.
    private static let bash = #"""
        _host() {
            local word summary
            COMPREPLY=()
            while IFS= read -r word && IFS= read -r summary; do
                case $word:$summary in
                    :files) compopt -o default ;;
                    :folders) compopt -o dirnames ;;
                    *) COMPREPLY+=("$word") ;;
                esac
            done < <(command host complete-line "${COMP_LINE:0:COMP_POINT}" "$2" 2> /dev/null)
            if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
        } 2> /dev/null
        complete -F _host host

        """#

    // compadd quotes the suggestions.
    private static let zsh = #"""
        #compdef host
        _host() {
            local word summary
            local -a texts shown names
            for word summary in "${(@f)$(command host complete-line "${(j: :)words[1,CURRENT-1]} $PREFIX" 2> /dev/null)}"; do
                case $word:$summary in
                    :) ;;
                    :files) compset -P '--*='; _files ;;
                    :folders) compset -P '--*='; _files -/ ;;
                    *'=':*) names+=("$word") ;;
                    *) texts+=("$word"); shown+=("$word  $summary") ;;
                esac
            done
            compadd -S '' -a names
            compadd -d shown -a texts
            (( compstate[nmatches] ))
        }
        if [[ ${funcstack[1]-} == _host ]]; then _host "$@"; else compdef _host host; fi

        """#
}
