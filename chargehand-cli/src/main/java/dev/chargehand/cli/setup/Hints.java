package dev.chargehand.cli.setup;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.ApprovalSheet;
import dev.chargehand.config.StoreLocation;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says which commands answer what a run waits for. */
public final class Hints {

    private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

    private final String options;

    private Hints(String options) {
        this.options = options;
    }

    /**
     * Make hints that repeat the options by which the run is found again, where they were given; no password is
     * repeated.
     */
    static Hints with(@Nullable String store, @Nullable Object config) {
        return new Hints(
                option("--store", store == null ? null : StoreLocation.shown(store)) + option("--config", config));
    }

    /** Return hints that repeat another option too. */
    Hints plus(String option, String value) {
        return new Hints(options + option(option, value));
    }

    /** Return an option with its value, as a shell takes it; nothing if there is none. */
    public static String option(String name, @Nullable Object value) {
        return value == null ? "" : " " + name + " " + word(value.toString());
    }

    /** Return a word as a shell takes it. */
    public static String word(String value) {
        return PLAIN.matcher(value).matches() ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    /** Return a command with the options. */
    public String command(String command) {
        return "chargehand " + command + options;
    }

    /** Return lines about calls of a run that wait. */
    public List<String> waiting(List<PendingApproval> pending) {
        List<String> lines = new ArrayList<>();
        for (PendingApproval approval : pending) {
            lines.add("waits for " + ApprovalSheet.brief(approval) + ", call " + approval.callId() + ", until "
                    + approval.expiresAt().truncatedTo(ChronoUnit.SECONDS));
        }
        for (PendingApproval approval : pending) {
            String of = approval.rootRunId() + (pending.size() == 1 ? "" : " " + approval.callId());
            lines.addAll(commands(approval, of));
        }
        return lines;
    }

    private List<String> commands(PendingApproval approval, String of) {
        String decline = "  " + command("decline " + of + " --reason '...'");
        return switch (approval.kind()) {
            case APPROVAL -> List.of("  " + command("approve " + of), decline);
            case DATA -> List.of("  " + command("provide " + of + " --data '...'"), decline);
            case INTERRUPTED ->
                List.of("  " + command("approve " + of), "  " + command("provide " + of + " --data '...'"), decline);
        };
    }
}
