package dev.chargehand.internal.run;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.loop.Loop;
import dev.chargehand.internal.loop.ModelFailed;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.stream.Narrator;
import dev.chargehand.run.StopReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run, root or nested, while it is being advanced by one thread. */
final class LiveRun {

    private static final Logger LOG = LoggerFactory.getLogger(LiveRun.class);

    private final RunScope scope;
    private final Journal journal;
    private final Loop loop;

    LiveRun(RunScope scope, Journal journal, Narrator narrator) {
        this.scope = scope;
        this.journal = journal;
        this.loop = new Loop(scope, journal, narrator);
    }

    /** Advances the run to its end, whatever happens on the way. */
    Outcome advance() {
        Outcome outcome = toItsEnd();
        EndHooks.tell(scope, outcome);
        loop.tellEnd(outcome.state());
        return outcome;
    }

    private Outcome toItsEnd() {
        try {
            loop.advance();
            return new Outcome(journal.state(), null);
        } catch (RunInterrupted e) {
            return new Outcome(loop.stop(e.reason(), "", Spent.NOTHING), null);
        } catch (ModelFailed e) {
            return fail(e.failure(), e.partialText(), Spent.onAttempts(e.attempts()));
        } catch (ChargehandException e) {
            return fail(e, "", Spent.NOTHING);
        } catch (RuntimeException | Error e) {
            return broke(e);
        }
    }

    private Outcome fail(ChargehandException e, String partialText, Spent spent) {
        String message = scope.root().redactor().redact(e.getMessage());
        return new Outcome(loop.stop(new StopReason.Failed(e.code(), message, e.retryable()), partialText, spent), e);
    }

    private Outcome broke(Throwable e) {
        String errorId = scope.root().ids().next("err_");
        LOG.error(
                "run {}: broke ({}): {}",
                journal.state().runId(),
                errorId,
                scope.root().redactor().describe(e),
                e);
        String message = "Chargehand itself broke (error " + errorId + ", "
                + e.getClass().getSimpleName() + "); the log has the details. Please report it.";
        return new Outcome(loop.stop(new StopReason.Failed("internal", message, false), "", Spent.NOTHING), e);
    }
}
