package dev.chargehand.cli.serve;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.server.ApiKey;
import dev.chargehand.server.Scope;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand keys list}: shows what is stored of the keys. */
@Command(name = "list", description = "List the keys.", optionListHeading = "%nOptions:%n")
final class KeysListCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private KeysOptions keys = new KeysOptions();

    KeysListCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        List<ApiKey> all = keys.open(shell).list();
        if (all.isEmpty()) {
            shell.note(keys.file() + " has no keys. 'chargehand keys add NAME' makes one.");
            return 0;
        }
        for (ApiKey key : all) {
            shell.say(line(key));
        }
        shell.out().flush();
        return 0;
    }

    private static String line(ApiKey key) {
        String expiry = key.expiresAt()
                .map(end -> (end.isAfter(Instant.now()) ? "expires " : "expired ") + end)
                .orElse("does not expire");
        return key.name() + "  tenant " + key.principal().tenantId() + "  resource "
                + key.principal().resourceId().orElse("any") + "  " + expiry + "  "
                + key.principal().scopes().stream().sorted().map(Scope::text).collect(Collectors.joining(","));
    }
}
