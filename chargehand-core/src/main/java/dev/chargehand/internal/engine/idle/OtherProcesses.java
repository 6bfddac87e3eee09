package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunStream;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;

/** What other processes execute of a call. */
public interface OtherProcesses {

    /** Return whether the runtime is neither closed nor being closed. */
    boolean isOpen();

    /** Return whether this process executes a run, or is about to. */
    boolean isHere(RunRecord run);

    /** Return a stream of a run that another process executes, from its start. */
    RunStream follow(RunId runId, AgentPath path);

    /** Return a reader of the events of a run that another process executes. */
    TreeWatch watch(RunRecord run);

    /** Cancel a run. */
    void cancel(RunId runId);
}
