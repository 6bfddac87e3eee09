package dev.chargehand.verify.kill.plan;

import static dev.chargehand.verify.kill.plan.Plan.delegate;
import static dev.chargehand.verify.kill.plan.Plan.tool;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunListener;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The run of an agent with a plan. */
public enum Scenario implements Subject {
    /** Tools, some of them repeatable, in several steps. */
    TOOLS(
            KillCrew.BOSS,
            Plan.of(
                    List.of(tool("book", "b1"), tool("note", "n1")),
                    List.of(tool("note", "n2"), tool("book", "b2"), tool("note", "n3")))),
    /** Sub-agents with tools, two deep, several at once. */
    NESTED(
            KillCrew.BOSS,
            Plan.of(
                    List.of(
                            delegate(
                                    "lead",
                                    Plan.of(List.of(
                                            delegate("clerk", Plan.of(List.of(tool("book", "b1"), tool("note", "n1")))),
                                            tool("note", "n2")))),
                            delegate("clerk", Plan.of(List.of(tool("book", "b2")))),
                            tool("note", "n3")),
                    List.of(tool("book", "b3")))),
    /** A sub-agent gives the answer while another waits for approval. */
    BAIL(
            KillCrew.BAILING,
            Plan.of(List.of(
                    delegate("lead", Plan.of(List.of(tool("pay", "p1"), tool("note", "n1")))),
                    tool("pay", "p2"),
                    delegate("clerk", Plan.of(List.of(tool("note", "n2")), List.of(tool("book", "b1"))))))),
    /** Scorers reject the first answer. */
    SCORED(
            KillCrew.SCORED,
            Plan.of(List.of(
                    tool("note", "n1"), tool("book", "b1"), delegate("clerk", Plan.of(List.of(tool("note", "n2"))))))),
    /** Two calls wait for approval at once, one of them below a sub-agent, and later a third. */
    APPROVALS(
            KillCrew.BOSS,
            Plan.of(
                    List.of(
                            tool("pay", "p1"),
                            tool("note", "n1"),
                            delegate("clerk", Plan.of(List.of(tool("pay", "p2"), tool("book", "b1"))))),
                    List.of(tool("log", "l1")))),
    /** Call wait for approval at three depths. */
    DEEP_APPROVALS(
            KillCrew.BOSS,
            Plan.of(List.of(
                    delegate(
                            "lead",
                            Plan.of(List.of(
                                    delegate("clerk", Plan.of(List.of(tool("pay", "p1")))), tool("log", "l1")))),
                    delegate("clerk", Plan.of(List.of(tool("log", "l2"), tool("pay", "p2"))))))),
    /** Tools ask for data. */
    QUESTIONS(
            KillCrew.BOSS,
            Plan.of(List.of(
                    tool("ask", "a1"), delegate("clerk", Plan.of(List.of(tool("ask", "a2")))), tool("note", "n1")))),
    /** Call that a crash interrupts wait for a human. */
    PARKED(
            KillCrew.BOSS,
            Plan.of(
                    List.of(tool("wire", "w1"), tool("note", "n1")),
                    List.of(delegate("clerk", Plan.of(List.of(tool("wire", "w2")))), tool("wire", "w3")))),
    /** A network: tools and agents, one after the other, some of which wait for approval. */
    NETWORK(
            KillCrew.ROUTER,
            Plan.of(
                    List.of(tool("book", "b1")),
                    List.of(delegate("lead", Plan.of(List.of(tool("pay", "p1"), tool("note", "n1"))))),
                    List.of(tool("pay", "p2")),
                    List.of(delegate("clerk", Plan.of(List.of(tool("note", "n2"))))))),
    /** The answer is to be an object: the first is not, and is fixed. */
    STRUCTURED(
            KillCrew.TYPED,
            Plan.of(List.of(
                    tool("note", "n1"), tool("book", "b1"), delegate("clerk", Plan.of(List.of(tool("pay", "p1"))))))),
    /** Processors look at the input, let no first answer pass, and rewrite the result. */
    GUARDED(
            KillCrew.GUARDED,
            Plan.of(List.of(
                    tool("pay", "p1"), tool("book", "b1"), delegate("clerk", Plan.of(List.of(tool("note", "n1")))))));

    /** The thread of the run. */
    public static final String THREAD = "t";

    /** The owner of the thread. */
    public static final String RESOURCE = "u";

    /** A clock that is set forward takes the active time of a run that is resumed with it. */
    public static final Duration LONGEST = Duration.ofDays(1);

    private final String agent;

    @SuppressWarnings("ImmutableEnumChecker") // a plan is a record of lists that are copied
    private final Plan plan;

    Scenario(String agent, Plan plan) {
        this.agent = agent;
        this.plan = plan;
    }

    @Override
    public AgentRuntime runtime(EffectSink effects, Store store, TimeSource time, RunListener listener) {
        return new KillCrew(effects).runtime(store, time, listener);
    }

    @Override
    @SuppressWarnings("deprecation") // networks survive as other runs do
    public RunResult run(AgentRuntime runtime) {
        Agent first = runtime.agent(agent);
        Consumer<RunOptions.Builder> options =
                o -> o.thread(THREAD).resource(RESOURCE).timeLimit(TimeLimit.RUN, LONGEST);
        return this == NETWORK ? first.generateNetwork(plan.text(), options) : first.generate(plan.text(), options);
    }

    @Override
    public boolean isRepeatable(String tool) {
        return KillCrew.isRepeatable(tool);
    }

    public Plan plan() {
        return plan;
    }
}
