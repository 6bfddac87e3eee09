package dev.chargehand.verify.kill.plan;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunListener;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;

/** What is continuing when a process is killed. It is the same in every process that has its name. */
public interface Subject {

    /** Return its name. */
    String name();

    /**
     * Make a runtime that can run it, and can continue it.
     *
     * @param effects where its tools or steps have their effects
     */
    AgentRuntime runtime(EffectSink effects, Store store, TimeSource time, RunListener listener);

    /**
     * Run it for the first time.
     *
     * @throws dev.chargehand.RunFailedException if it fails
     */
    RunResult run(AgentRuntime runtime);

    /** Return what a result of it says. */
    default String text(RunResult result) {
        return result.text();
    }

    /** Return the data that answers a question. */
    default Object data(PendingApproval question) {
        return "ok";
    }

    /** Return whether what has effects under a name may have them again under the same key. */
    boolean isRepeatable(String tool);
}
