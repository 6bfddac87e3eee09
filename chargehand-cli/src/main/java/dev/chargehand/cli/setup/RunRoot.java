package dev.chargehand.cli.setup;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.run.Prices;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a run executes: an agent or a workflow of the file.
 *
 * @param agents the agent, if it is one
 * @param workflows the workflow, if it is one
 * @param widest how many characters the longest path in a run of it has
 * @param prices the prices of models
 */
public record RunRoot(List<Agent> agents, List<Workflow<?, ?>> workflows, int widest, Prices prices) {

    public RunRoot {
        agents = List.copyOf(agents);
        workflows = List.copyOf(workflows);
    }

    /** Make the root that is an agent. */
    public static RunRoot of(Agent agent) {
        return new RunRoot(
                List.of(agent), List.of(), widest(agent), agent.defaultOptions().prices());
    }

    /**
     * Make the root that is a workflow.
     *
     * @param options set the options of its runs
     */
    public static RunRoot of(Workflow<?, ?> workflow, Consumer<RunOptions.Builder> options) {
        return new RunRoot(
                List.of(),
                List.of(workflow),
                widest(workflow.id(), workflow),
                RunOptions.defaults().with(options).prices());
    }

    /** The agents below each other have no cycles. */
    private static int widest(Agent agent) {
        int below =
                agent.agents().values().stream().mapToInt(RunRoot::widest).max().orElse(-1);
        return agent.id().length() + 1 + below;
    }

    private static int widest(String key, Workflow<?, ?> workflow) {
        int below = workflow.entries().stream()
                .flatMap(entry -> entry.steps().stream())
                .mapToInt(RunRoot::widest)
                .max()
                .orElse(-1);
        return key.length() + 1 + below;
    }

    /** A step that is a function has no path of its own. */
    private static int widest(Step<?, ?> step) {
        return step.delegate()
                .map(delegate -> delegate instanceof Workflow<?, ?> nested
                        ? widest(step.id(), nested)
                        : step.id().length())
                .orElse(-1);
    }
}
