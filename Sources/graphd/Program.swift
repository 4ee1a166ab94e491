import ArgumentParser
import Dispatch
import Foundation

@main
enum Program {
    /// Not async: `inputs` runs under valgrind, which fails at the end of the main thread in an async one.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == InputsCommand.configuration.commandName {
            return InputsCommand.main(Array(arguments.dropFirst()))
        }
        // Owner: the process, which ends with it.
        Task {
            await Graphd.main()
            exit(0)
        }
        dispatchMain()
    }
}
