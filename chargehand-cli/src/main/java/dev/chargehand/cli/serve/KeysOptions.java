package dev.chargehand.cli.serve;

import dev.chargehand.cli.shell.Logging;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.server.ApiKeys;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the keys are. */
final class KeysOptions {

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "The file of the keys. Default: keys.json. It holds a digest of each key, not the key.")
    private Path file = Path.of("keys.json");

    ApiKeys open(Shell shell) {
        Logging.configure(false);
        return ApiKeys.of(shell.folder().resolve(file));
    }

    Path file() {
        return file;
    }
}
