package dev.chargehand.cli.versions;

import dev.chargehand.cli.setup.ListOptions;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.AgentVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand versions list}: lists the saved versions of an agent. */
@Command(
        name = "list",
        description = "List the saved versions of an agent, the one that was saved last first.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n")
final class VersionsListCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private ListOptions listing = new ListOptions();

    @Mixin
    private VersionOptions options = new VersionOptions();

    VersionsListCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        int limit = listing.limit();
        return options.with(shell, false, versions -> {
            listing.print(
                    shell,
                    latest(versions, limit + 1),
                    "versions",
                    VersionLines::json,
                    VersionLines::of,
                    last -> "--limit " + Math.min(ListOptions.MOST, limit * 2));
            return ExitCode.COMPLETED;
        });
    }

    private List<AgentVersion> latest(AgentVersions versions, int most) {
        List<AgentVersion> found = new ArrayList<>();
        @Nullable String before = null;
        List<AgentVersion> page;
        do {
            int wanted = Math.min(AgentVersions.LONGEST_PAGE, most - found.size());
            page = versions.list(options.agent(), before, wanted);
            found.addAll(page);
            before = page.isEmpty() ? null : page.getLast().id();
        } while (page.size() == AgentVersions.LONGEST_PAGE && found.size() < most);
        return found;
    }
}
