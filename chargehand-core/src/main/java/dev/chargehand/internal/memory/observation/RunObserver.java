package dev.chargehand.internal.memory.observation;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.Deadline;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.memory.side.SideAnswer;
import dev.chargehand.internal.memory.side.SideCalls;
import dev.chargehand.internal.memory.side.SideModelFailedException;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.CallInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has messages observed while a run waits for that, on behalf of the run, which pays for it. For one step. */
final class RunObserver implements Observer.Progress {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RunScope run;
    private final int step;
    private final String threadId;
    private final Observer observer;
    private Spending spent = Spending.NOTHING;

    RunObserver(RunScope run, int step, String threadId, SideModels models) {
        this.run = run;
        this.step = step;
        this.threadId = threadId;
        SideCalls calls = new SideCalls(
                models,
                run.root().callouts(),
                run.cancellation(),
                name -> run.call(CallInfo.Kind.MODEL, name).atStep(step),
                this::answered);
        this.observer = new Observer(calls, run.root().time());
    }

    /** Observe messages up to a position; returns why not all of them were, or null. */
    @Nullable
    String observe(ObservedThread thread, long until) {
        Deadline deadline = new Deadline(run.root().time(), LIMIT);
        try {
            boolean ignored = observer.observe(thread, until, Integer.MAX_VALUE, deadline::remaining, this);
            return null;
        } catch (SideModelFailedException e) {
            return "observation-failed: " + e.problem();
        } catch (StoreException e) {
            return "observation-failed: " + run.root().redactor().redact(e.publicMessage());
        }
    }

    /** Return what the models have used. */
    Spending spent() {
        return spent;
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public void starts(Batch batch) {
        spent = spent.plus(Spending.onAttempts(1));
        run.events().emit(step, o -> new RunEvent.ObservationStart(o, threadId, batch.from(), batch.to()));
    }

    private void answered(SideAnswer answer) {
        BigDecimal cost = run.options().get(Options.PRICES).costOf(answer.model(), answer.usage());
        run.root().ledger().debit(answer.usage().totalTokens(), cost);
        spent = spent.plus(new Spending(0, 0, answer.text().length(), cost, Map.of(Spending.MEMORY, answer.usage())));
    }

    @Override
    public void observed(Batch batch, Usage usage, Duration duration) {
        run.events()
                .emit(step, o -> new RunEvent.ObservationEnd(o, threadId, batch.from(), batch.to(), usage, duration));
    }

    @Override
    public void failed(Batch batch, String problem) {
        String shown = run.root().redactor().redact(problem);
        run.events().emit(step, o -> new RunEvent.ObservationFailed(o, threadId, batch.from(), batch.to(), shown));
    }
}
