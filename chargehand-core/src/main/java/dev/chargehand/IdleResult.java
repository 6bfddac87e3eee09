package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.background.Task;
import dev.chargehand.run.IdleReason;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of an until-idle call: its turns and its background tasks. The framework makes it; an application reads it. Immutable.
 */
@Experimental
public interface IdleResult {

    /** Return why the call is over. */
    IdleReason reason();

    /** Return the answer: the text of the last turn. */
    String text();

    /** Return the result of the structured output of the last turn; empty if none was requested. */
    Optional<ObjectResult> structured();

    /** Return the results of the turns, the first one first; never empty. */
    List<RunResult> turns();

    /** Return the background tasks of all turns as they stand, in the order in which they were started. */
    List<Task> tasks();

    /** Return the tokens of all turns and tasks, with those of all nested runs. */
    Usage totalUsage();

    /**
     * Return the tokens by agent id. Those of a task are under the agent or workflow that it was given to, with what its nested
     * runs used.
     */
    Map<String, Usage> usageByAgent();
}
