package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunStream;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;

/** What is executed of a call, in other processes above all. */
public interface OtherProcesses {

    /** Return whether the runtime is neither closed nor being closed. */
    boolean isOpen();

    /** Return whether this process is about to execute a run, or has not left it: events of it may be on their way. */
    boolean isAtWork(RunId runId);

    /** Return whether a run belongs to this process, or did when it ended. */
    boolean owns(RunRecord run);

    /** Return whether a run has started and no living process executes it. */
    boolean isLeft(RunId runId);

    /** Return a stream of a run that another process executes, from its start. */
    RunStream follow(RunId runId, AgentPath path);

    /** Return a reader of the events of a run that another process executes. */
    TreeWatch watch(RunId runId, AgentPath path);

    /** Return a reader of all events of a run, whichever process executes it; also if the store has forgotten it and it was expected. */
    TreeWatch watchWhole(RunId runId, AgentPath path);

    /** Have a run that is about to start here read after its end too, if its store forgets it then. */
    void expect(RunId runId, AgentPath path);

    /** Cancel a run. */
    void cancel(RunId runId);
}
