package dev.chargehand.verify.kill.plan;

import static dev.chargehand.verify.kill.plan.Plan.delegate;
import static dev.chargehand.verify.kill.plan.Plan.tool;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import java.util.List;
import java.util.function.Consumer;

/** What is continuing when a process is killed. */
public enum Scenario {
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

    private final String agent;

    @SuppressWarnings("ImmutableEnumChecker") // a plan is a record of lists that are copied
    private final Plan plan;

    Scenario(String agent, Plan plan) {
        this.agent = agent;
        this.plan = plan;
    }

    /** Run it for the first time. */
    @SuppressWarnings("deprecation") // networks survive as other runs do
    public RunResult run(AgentRuntime runtime, Consumer<RunOptions.Builder> options) {
        Agent first = runtime.agent(agent);
        return this == NETWORK ? first.generateNetwork(plan.text(), options) : first.generate(plan.text(), options);
    }

    String agent() {
        return agent;
    }

    public Plan plan() {
        return plan;
    }
}
