package dev.chargehand.verify.cancel;

import dev.chargehand.Agent;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;

/** The workflows of a case, each with an agent as a step, which never ends by itself. */
final class NestedWorkflows {

    private final CancelCase cancel;
    private final DeafCode deaf;

    NestedWorkflows(CancelCase cancel, DeafCode deaf) {
        this.cancel = cancel;
        this.deaf = deaf;
    }

    /** The input. */
    record Request(String prompt) {}

    /** Make the workflow through which an agent is reached. */
    Workflow<Request, String> around(Agent agent, int level) {
        Workflow<Request, String> inner =
                workflow("w" + level, agent.asStep("ask", Request.class, (in, context) -> "P"), level);
        return cancel.link(level) == Link.NESTED ? workflow("v" + level, inner.asStep(), level) : inner;
    }

    /** One step, perhaps next to one that is deaf, and one that must never be executed. */
    private Workflow<Request, String> workflow(String id, Step<Request, String> step, int level) {
        WorkflowBuilder<Request, Request> builder =
                Workflow.from(id, Request.class).description("Is " + id + ".");
        WorkflowBuilder<Request, String> first = level == cancel.siblingDepth() + 1
                ? builder.parallel("both", step, aside())
                        .map("join", String.class, (outputs, context) -> outputs.get(step))
                : builder.then(step);
        return first.then(Step.of("after", String.class, String.class, (in, context) -> {
                    deaf.beDeafAside();
                    return in;
                }))
                .build(String.class);
    }

    private Step<Request, String> aside() {
        return Step.of("aside", Request.class, String.class, (in, context) -> {
            deaf.beDeafAside();
            return "late";
        });
    }
}
