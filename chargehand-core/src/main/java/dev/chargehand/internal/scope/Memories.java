package dev.chargehand.internal.scope;

import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.memory.Memory;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The memory of the runs of a tenant. Thread-safe. */
public interface Memories {

    /**
     * Check that a run can have the memory of its agent.
     *
     * @param thread the thread of the run, or null
     * @throws dev.chargehand.error.ChargehandException if it cannot
     */
    void check(String agentId, Memory memory, OptionValues options, @Nullable ThreadLink thread);

    /**
     * Recall what a run remembers, or what is left of it. A fault leaves a part out and is noted in the fact.
     *
     * @param state where the run stands, before its model is called
     * @return empty if there is nothing to recall, or it was recalled before and is still there
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    Optional<Remembered> recall(RunScope run, ConversationState state);

    /** Return the tools that a run has because of its memory. */
    List<Tool> tools(Memory memory, OptionValues options, @Nullable ThreadLink thread);

    /** Have the work on memory done that follows a run which has ended; returns at once. */
    void runEnded(RunScope run, ConversationState state);
}
