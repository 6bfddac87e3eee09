package dev.chargehand.internal.engine.resume;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.RunStarter;
import dev.chargehand.internal.engine.tree.RunTree;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.message.Message;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import java.util.List;
import java.util.function.Supplier;

/** Starts runs for callers, or finds those that earlier calls with the same key have started. Thread-safe. */
public final class RunLauncher {

    private final RunStarter starter;
    private final RunHandles handles;

    /** Make it for a runtime. */
    public RunLauncher(RunStarter starter, RunHandles handles) {
        this.starter = starter;
        this.handles = handles;
    }

    /** Start a run and return its handle at once. */
    public RunHandle start(Agent agent, List<Message> input, OptionValues options) {
        return RunKeys.isIn(options)
                ? handles.of(found(agent, input, options, () -> startKeyed(agent, input, options)))
                : handles.of(starter.start(agent, input, options, false));
    }

    /** Start a run and wait for its result; an interrupt cancels it, unless a repeated call can find it. */
    public RunResult generate(Agent agent, List<Message> input, OptionValues options) {
        return RunKeys.isIn(options)
                ? start(agent, input, options).result()
                : starter.start(agent, input, options, false).result();
    }

    /** Store a run that any process may start. */
    public RunId submit(Agent agent, List<Message> input, OptionValues options) {
        return found(agent, input, options, () -> starter.submit(agent, input, options));
    }

    private static RunId found(Agent agent, List<Message> input, OptionValues options, Supplier<RunId> start) {
        try {
            return start.get();
        } catch (IdempotencyKeyException e) {
            IdempotencyKey key = RunKeys.of(agent, input, options);
            if (key == null || !key.digest().equals(e.digest())) {
                throw e;
            }
            return new RunId(e.runId());
        }
    }

    /** Start a run at once if its thread is free; else it is stored, and has its turn like a submitted one. */
    private RunId startKeyed(Agent agent, List<Message> input, OptionValues options) {
        boolean queues =
                options.get(Options.THREAD) != null && options.get(Options.BUSY_THREAD) == BusyThreadPolicy.QUEUE;
        if (queues && RunTree.screens(options)) {
            return starter.submitHere(agent, input, options); // its input passes the processors once
        }
        try {
            return starter.start(agent, input, options, false).runId();
        } catch (ThreadBusyException e) {
            if (!queues) {
                throw e;
            }
            return starter.submitHere(agent, input, options);
        }
    }
}
