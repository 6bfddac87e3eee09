package dev.chargehand.internal.engine.task;

import dev.chargehand.RunStream;
import dev.chargehand.background.Task;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;

/** An until-idle call whose caller waits for its turns here. Its methods are called by the threads of its runs. */
public interface IdleCall {

    /** Return what its turns execute. */
    RunDefinition definition();

    /** Return the options of the call, its hooks among them. */
    OptionValues options();

    /** Return what receives the events of its background tasks that are executed here. */
    RunListener taskListener();

    /** Note that a background task is about to be executed here. */
    void taskStarts(RunId runId, AgentPath path);

    /** Note that a turn is about to be executed here. */
    void turnStarts(RunStream turn);

    /** Note how a background task has ended that was executed here. */
    void taskEnded(Task task);
}
