package dev.chargehand.workflow.view;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.event.RunEvent;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a flowchart in the language of Mermaid, which Markdown pages of many services show as a picture.
 *
 * <pre>{@code
 * String definition = WorkflowPicture.of(ordering).mermaid();
 * String run = WorkflowPicture.of(ordering).with(runtime.history(runId)).mermaid();
 * }</pre>
 *
 * <p>Steps have the id of the step, and of an agent that does the work its id. A nested workflow and a {@code foreach} are boxes
 * around their steps, a branch has the names of its cases on its arrows, a loop has an arrow back. Names are
 * escaped: the text is a valid chart regardless of what they contain.
 *
 * <p>Immutable and thread-safe.
 */
public final class WorkflowPicture {

    private final Workflow<?, ?> workflow;
    private final @Nullable WorkflowProgress progress;

    private WorkflowPicture(Workflow<?, ?> workflow, @Nullable WorkflowProgress progress) {
        this.workflow = workflow;
        this.progress = progress;
    }

    /** Make the picture of a definition. */
    public static WorkflowPicture of(Workflow<?, ?> workflow) {
        return new WorkflowPicture(workflow, null);
    }

    /**
     * Return this picture with the states of a run: each step has one of the classes {@code done}, {@code running}, {@code
     * waiting}, {@code failed}, {@code skipped}, {@code stopped} and {@code notReached}. A step with several calls has the state of the one
     * that needs attention most.
     *
     * @param events the history of the run; if it is one of an agent or of another workflow, the runs of this workflow
     *     among its nested runs are shown
     */
    @CheckReturnValue
    public WorkflowPicture with(List<? extends RunEvent> events) {
        return with(WorkflowProgress.of(events));
    }

    /** Return this picture with the states of a run; see {@link #with(List)}. */
    @CheckReturnValue
    public WorkflowPicture with(WorkflowProgress states) {
        return new WorkflowPicture(workflow, states);
    }

    /** Return the text of the flowchart; it ends with a line break. */
    public String mermaid() {
        MermaidText text = new MermaidText();
        new DefinitionDrawing(workflow, RunStates.of(workflow, progress), text).draw();
        return text.toString();
    }
}
