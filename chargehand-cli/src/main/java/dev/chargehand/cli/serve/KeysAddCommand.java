package dev.chargehand.cli.serve;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.server.ApiKey;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code chargehand keys add}: makes a key and prints it. */
@Command(
        name = "add",
        description = "Make a key and print it; it is not stored and cannot be shown again.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class KeysAddCommand implements Callable<Integer> {

    private final Shell shell;

    @Parameters(paramLabel = "NAME", description = "The name of the key. Approvals are stored with it.")
    private String name = "";

    @Option(
            names = "--resource",
            paramLabel = "ID",
            description = "The resource for which the caller acts. Default: any that it names.")
    private @Nullable String resource;

    @Option(names = "--tenant", paramLabel = "ID", description = "The tenant. Default: local.")
    private String tenant = Store.LOCAL;

    @Option(
            names = "--scopes",
            paramLabel = "LIST",
            split = ",",
            description = "What the caller may do, with commas. Default: everything but admin and resources:any.")
    private List<String> scopes = List.of();

    @Option(names = "--days", paramLabel = "N", description = "After how many days it expires. Default: never.")
    private @Nullable Integer days;

    @Mixin
    private KeysOptions keys = new KeysOptions();

    KeysAddCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (days != null && days < 1) {
            throw new ConfigurationException("--days must be at least 1.");
        }
        if (name.isBlank()) {
            throw new ConfigurationException("The name of a key must not be blank.");
        }
        Optional<Instant> expiry =
                Optional.ofNullable(days).map(n -> Instant.now().plus(n, ChronoUnit.DAYS));
        Principal principal = new Principal(name, tenant, Optional.ofNullable(resource), scopes());
        String secret = keys.open(shell).add(new ApiKey(name, principal, expiry));
        shell.note("The key '" + name + "' is in " + keys.file()
                + ". Give it to its caller now; it cannot be shown again.");
        shell.out().println(secret);
        shell.out().flush();
        return 0;
    }

    private Set<Scope> scopes() {
        if (scopes.isEmpty()) {
            return EnumSet.complementOf(EnumSet.of(Scope.ADMIN, Scope.RESOURCES_ANY));
        }
        Set<Scope> set = EnumSet.noneOf(Scope.class);
        for (String text : scopes) {
            set.add(Scope.of(text)
                    .orElseThrow(() -> new ConfigurationException(
                            "--scopes: '" + text + "' is not a scope. Scopes are " + Scope.texts() + ".")));
        }
        return set;
    }
}
