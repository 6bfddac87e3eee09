package dev.chargehand.cli.chat;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the turns of a chat have come to, with whichever models. Used by one thread. */
final class TurnLog {

    private final UsageTally tally = new UsageTally();
    private final List<Integer> codes = new ArrayList<>();
    private @Nullable RunId last;

    /** Note the exit code of a turn. */
    void ended(int code) {
        codes.add(code);
    }

    /** Note the run of a turn. */
    void started(RunId run) {
        last = run;
    }

    /** Return the last run. */
    Optional<RunId> last() {
        return Optional.ofNullable(last);
    }

    /** Return whether the last turn ended with a code. */
    boolean lastEndedWith(int code) {
        return !codes.isEmpty() && codes.getLast() == code;
    }

    /** Return the code of the turn that is furthest from an answer. */
    int exitCode() {
        return ExitCode.worst(codes);
    }

    UsageTally tally() {
        return tally;
    }
}
