package dev.chargehand.verify.cancel;

/** How an agent of a case is reached: by the caller of the run, or by the agent above it. */
enum Link {
    /** Itself: as the run, or as a delegation. */
    AGENT(0),
    /** As a step of a workflow. */
    WORKFLOW(1),
    /** As a step of a workflow that is a step of a workflow. */
    NESTED(2);

    private final int workflows;

    Link(int workflows) {
        this.workflows = workflows;
    }

    /** Return how many runs of workflows stand between. */
    int workflows() {
        return workflows;
    }
}
