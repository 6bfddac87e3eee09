package dev.chargehand.internal.event;

import dev.chargehand.event.EventId;

/**
 * The events that a stored fact determines, by their names, with their fixed places among the events of one fact. The
 * events of a fact are emitted in this order. A number never changes: cursors contain it.
 */
public enum Slot {
    RUN_START(10),
    WORKFLOW_START(15),
    RUN_RESUME(20),
    BACKGROUND_TASK_RUNNING(21),
    BACKGROUND_TASK_RESUMED(22),
    MEMORY_RECALL(24),
    MEMORY_PROBLEM(26),
    USAGE(30),
    ROUTING_AGENT_END(40),
    TRIPWIRE(50),
    WORKFLOW_STEP_SKIPPED(55),
    WORKFLOW_STEP_START(58),
    WORKFLOW_STEP_RESUMED(59),
    DELEGATION_START(60),
    TOOL_CALL_APPROVAL(70),
    TOOL_CALL_SUSPENDED(80),
    WORKFLOW_STEP_WAITING(84),
    WORKFLOW_STEP_SUSPENDED(86),
    TOOL_CALL_ANSWERED(90),
    TOOL_OUTPUT_DENIED(100),
    DELEGATION_REJECTED(110),
    DELEGATION_END(120),
    TOOL_ERROR(130),
    WORKING_MEMORY_UPDATE(135),
    TOOL_RESULT(140),
    BACKGROUND_TASK_STARTED(142),
    WORKFLOW_STEP_RETRY(144),
    WORKFLOW_STEP_RESULT(146),
    SCORING_COMPLETE(150),
    DELEGATION_BAIL(160),
    OBJECT_RESULT(170),
    STEP_FINISH(180),
    NETWORK_STEP_FINISH(190),
    ITERATION_END(200),
    WORKFLOW_FINISH(205),
    ERROR(210),
    ABORT(220),
    NETWORK_FINISH(230),
    BACKGROUND_TASK_SUSPENDED(232),
    BACKGROUND_TASK_COMPLETED(234),
    BACKGROUND_TASK_FAILED(236),
    BACKGROUND_TASK_CANCELLED(238),
    RUN_SUSPEND(240),
    RUN_FINISH(250),

    /** One for each call of an answer: the number of the first, to which the index of the call is added. */
    TOOL_CALL(1_000);

    private final int number;

    Slot(int number) {
        this.number = number;
    }

    /** Return the id of the event of a fact; {@code index} is 0 for all but calls. */
    EventId of(long position, int index) {
        return new EventId(position, number + index);
    }
}
