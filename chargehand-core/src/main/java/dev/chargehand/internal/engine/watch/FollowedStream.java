package dev.chargehand.internal.engine.watch;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.event.LiveRunStream;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The events of a stored run for the stream of a call whose key it has: past ones, and then those that follow until the
 * run has ended or waits. It never slows the run.
 */
public final class FollowedStream implements LiveRunStream.Source {

    private final Engine engine;
    private final RunId runId;
    private final Followed run;
    private final AgentPath path;
    private final boolean cancels;
    private final AtomicBoolean textIsFinal = new AtomicBoolean();
    private final StringBuilder text = new StringBuilder();
    private volatile TreeWatch watch;
    private volatile boolean over;
    private boolean suspended;

    /** How much of the text of the step has come since its start was read last. */
    private int again;

    /** The run whose events are read. */
    public interface Followed {

        /** Wait until the run has ended or waits for an answer, and return its result. */
        RunResult result();

        /** Wait until the run has ended or waits for an answer, however that is. */
        void awaitEnd();

        /** Return whether the run has ended or waits for an answer, as it is stored. */
        boolean standsStill();

        /** Cancel the run. */
        void cancel(String by);
    }

    private FollowedStream(
            Engine engine, RunId runId, Followed run, AgentPath path, boolean cancels, @Nullable Cursor after) {
        this.engine = engine;
        this.runId = runId;
        this.run = run;
        this.path = path;
        this.cancels = cancels;
        this.watch = new TreeWatch(engine, runId, path, after);
    }

    /**
     * Return the stream of a run.
     *
     * @param path the agent of the root run
     * @param onClose how closing the stream, or an interrupt of its reader, affects the run
     * @param after the event after which it starts, or null for the first one
     */
    public static RunStream of(
            Engine engine,
            RunId runId,
            Followed run,
            AgentPath path,
            RunStream.OnClose onClose,
            @Nullable Cursor after) {
        boolean cancels = onClose == RunStream.OnClose.CANCEL;
        FollowedStream source = new FollowedStream(engine, runId, run, path, cancels, after);
        return new LiveRunStream(
                engine.environment().callouts().threads(),
                runId,
                source,
                run::cancel,
                run::result,
                run::awaitEnd,
                source.textIsFinal,
                onClose);
    }

    @Override
    public Optional<RunEvent> take() throws InterruptedException {
        while (!over && !(suspended && waits())) {
            if (watch.iterator().hasNext()) {
                RunEvent event = watch.iterator().next();
                suspended = event instanceof RunEvent.RunSuspend && isOfRoot(event);
                over |= event instanceof RunEvent.RunFinish && isOfRoot(event);
                Optional<RunEvent> shown = textIsFinal.get() ? onlyOnce(event) : Optional.of(event);
                if (shown.isPresent()) {
                    return shown;
                }
            } else if (cancels && Thread.interrupted()) {
                Cursor last = watch.cursor().orElse(null);
                watch = new TreeWatch(engine, runId, path, last);
                throw new InterruptedException();
            } else {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public void discard() {
        over = true;
        watch.close();
    }

    /** Return whether nothing followed the suspension that was read last, and the run still waits. */
    private boolean waits() throws InterruptedException {
        Cursor last = watch.cursor().orElseThrow();
        Optional<LocalRun> suspending = engine.live(runId).filter(live -> live.epoch() == last.epoch());
        if (suspending.isPresent()) {
            suspending.get().awaitQuietly();
        }
        suspended = false;
        return engine.live(runId).isEmpty()
                && engine.store().readTree(runId, last.id().position(), 1).isEmpty()
                && run.standsStill();
    }

    private boolean isOfRoot(RunEvent event) {
        return event.runId().equals(runId);
    }

    /**
     * Return an event for a reader who cannot take back the text that it got: text of a step that comes again is left out.
     *
     * @throws ChargehandException {@code text-replaced} if the step has another text now
     */
    private Optional<RunEvent> onlyOnce(RunEvent event) {
        if (event instanceof RunEvent.TextDelta delta && isOfRoot(event)) {
            return rest(delta.text()).map(more -> new RunEvent.TextDelta(delta.origin(), delta.textId(), more));
        }
        boolean answered =
                event instanceof RunEvent.UsageReport usage && !usage.model().isEmpty();
        boolean restarts = event instanceof RunEvent.StreamResumed || event instanceof RunEvent.StepRetry;
        if (isOfRoot(event) && (answered || restarts)) {
            again = 0;
            text.setLength(answered ? 0 : text.length()); // a stored answer is not replaced
        }
        return Optional.of(event);
    }

    private Optional<String> rest(String delta) {
        int known = Math.min(delta.length(), text.length() - again);
        if (!delta.startsWith(text.substring(again, again + known))) {
            throw new ChargehandException(
                    "text-replaced",
                    false,
                    "Run " + runId
                            + " gives the answer of a step again with another text, and a reader of text cannot"
                            + " take back what it read; result() has the answer, and the events say what is replaced.",
                    null);
        }
        again += delta.length();
        text.append(delta, known, delta.length());
        return known == delta.length() ? Optional.empty() : Optional.of(delta.substring(known));
    }
}
