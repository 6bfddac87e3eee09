package dev.chargehand.internal.workflow;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Workflow;

/** Finds the entries of a workflow. */
final class Entries {

    private Entries() {}

    /**
     * Return the place of an entry, from 0.
     *
     * @throws ConfigurationException if the workflow has none of that id, since it was changed
     */
    static int place(Workflow<?, ?> workflow, String id) {
        for (int i = 0; i < workflow.entries().size(); i++) {
            if (workflow.entries().get(i).id().equals(id)) {
                return i;
            }
        }
        throw new ConfigurationException("Workflow '" + workflow.id() + "' has no entry '" + id
                + "' any more, but a run of it has reached that entry. Register the definition that the run was started"
                + " with.");
    }

    /** Return an entry by its id. */
    static Entry of(Workflow<?, ?> workflow, String id) {
        return workflow.entries().get(place(workflow, id));
    }
}
