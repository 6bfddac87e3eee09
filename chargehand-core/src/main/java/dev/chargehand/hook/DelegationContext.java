package dev.chargehand.hook;

import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import java.util.List;

/**
 * A delegation, as every hook of delegations sees it. Immutable.
 *
 * <p>Implemented by Chargehand only: later versions may add accessors.
 */
public interface DelegationContext {

    /** Return the supervisor's run. */
    RunInfo run();

    /** Return the number of the supervisor's step, from 1. */
    int step();

    /** Return Chargehand's id of the call. */
    String callId();

    /** Return the sub-agent's id. */
    String agentId();

    /** Return the sub-agent's name; its id if it has no name of its own. */
    String agentName();

    /** Return the sub-agent's key in its supervisor. */
    String key();

    /** Return the delegation prompt; the arguments as JSON for a sub-agent with a typed input. */
    String prompt();

    /** Return the supervisor's conversation so far, without instructions. */
    List<Message> messages();
}
