package dev.chargehand.verify.sequences.crew;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.background.OnEnd;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.model.HashedWords;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;

/** The agents of a sequence, with nested ones, tools of all kinds, memory, workflows and background tasks. */
public final class SequenceCrew {

    /** The ids of the agents. */
    public static final List<String> AGENTS = List.of("leaf", "middle", "top", "profiler", "boss", "chief", "observed");

    private static final String LEAF = "agent-leaf";
    private static final String MIDDLE = "agent-middle";

    /** The input of most tools. */
    public record Number(int n) {}

    /** What a person writes down about a user. */
    public record Profile(String name, String city, List<String> likes) {}

    public record Size(int size) {}

    private final TimeSource clock;
    private final IdSource ids;
    private final Workflow<Long, Long> count;
    private final Workflow<Long, Long> list;
    private final Workflow<Long, Long> both = SequenceWorkflows.both();

    /** Make it, with the clock and the ids of a sequence. */
    public SequenceCrew(TimeSource clock, IdSource ids) {
        this.clock = clock;
        this.ids = ids;
        count = SequenceWorkflows.count(builder("thinker").build());
        list = SequenceWorkflows.list(clock);
    }

    /** Return the tools of an agent, without those that each one has. */
    public static List<String> callable(String agent) {
        return switch (agent) {
            case "middle" -> List.of("ask", LEAF);
            case "top" ->
                List.of(
                        "ask",
                        "boom",
                        "big",
                        "external",
                        "client",
                        MIDDLE,
                        LEAF,
                        MIDDLE,
                        "workflow-count",
                        "updateWorkingMemory",
                        "updateWorkingMemory");
            case "profiler" -> List.of("updateWorkingMemory", "updateWorkingMemory");
            case "boss" -> List.of(MIDDLE, LEAF, MIDDLE, "workflow-count");
            case "chief" -> List.of(MIDDLE, LEAF, "ask");
            default -> List.of();
        };
    }

    /** Return whether an agent may start background tasks. */
    public static boolean hasTasks(String agent) {
        return agent.equals("boss") || agent.equals("chief");
    }

    /** Return the tool that a client brings along. */
    public static Tool clientTool() {
        return Tool.external("client", "Works at the client.", JsonSchema.of(Number.class));
    }

    /** Return the workflow with branches, a question, a sleep, a retry and an agent. */
    public Workflow<Long, Long> count() {
        return count;
    }

    /** Return all workflows, the one with branches twice. */
    public List<Workflow<Long, Long>> workflows() {
        return List.of(count, count, list, both);
    }

    /** Open a runtime with all of them. It executes nothing by itself. */
    public AgentRuntime runtime(Store store) {
        AgentRuntimeBuilder builder = AgentRuntime.builder()
                .store(store)
                .providers()
                .timeSource(clock)
                .idSource(ids)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .workflows(count, list, both)
                .catalog(AgentCatalog.stored((id, version, document) -> saved(id, version, document)));
        AGENTS.forEach(id -> builder.addAgent(agent(id)));
        return builder.build();
    }

    private static Agent saved(String id, String version, String document) {
        if (document.startsWith("bad")) {
            throw new IllegalArgumentException("This is no document.");
        }
        return builder(id)
                .version(version)
                .instructions(document)
                .tools(look(), pay())
                .build();
    }

    private static AgentBuilder builder(String id) {
        return Agent.builder(id)
                .description("Does " + id + ".")
                .instructions("You are " + id + ".")
                .model(new PlannedModel("planned/" + id))
                .defaultOptions(options -> options.toolCallConcurrency(1).metadata("kind", id));
    }

    private Agent agent(String id) {
        AgentBuilder builder = builder(id);
        return switch (id) {
            case "middle" ->
                builder.tools(look(), pay(), ask())
                        .agents(agent("leaf"))
                        .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                        .build();
            case "top" -> top(builder);
            case "profiler" ->
                builder.tools(look())
                        .memory(memory -> memory.lastMessages(4)
                                .workingMemory(
                                        WorkingMemory.schema(Profile.class).scope(Scope.THREAD))
                                .semanticRecall(recall -> recall.by(new HashedWords())
                                        .topK(2)
                                        .scope(Scope.THREAD)
                                        .alsoToolResults()))
                        .build();
            case "boss" ->
                builder.tools(look(), pay())
                        .agents(agent("middle"), agent("leaf"))
                        .workflows(count)
                        .background(tasks -> tasks.all().timeout(Duration.ofMinutes(15)))
                        .build();
            case "chief" ->
                builder.tools(look(), ask())
                        .agents(agent("middle"), agent("leaf"))
                        .background(tasks ->
                                tasks.agents("middle", "leaf").retries(1).onEnd(OnEnd.CONTINUE))
                        .build();
            case "observed" ->
                builder.tools(look())
                        .memory(memory -> memory.observations(observations -> observations
                                .model(new PlannedModel("planned/observer"))
                                .messageTokens(100)
                                .observationTokens(200)))
                        .build();
            default -> builder.tools(look(), pay()).build();
        };
    }

    private Agent top(AgentBuilder builder) {
        return builder.tools(look(), pay(), ask(), boom(), big(), external())
                .agents(agent("middle"), agent("leaf"))
                .workflows(count)
                .acceptClientTools()
                .memory(memory -> memory.lastMessages(6)
                        .workingMemory(WorkingMemory.template("# User\n- Name:\n- Place:\n"))
                        .semanticRecall(recall -> recall.by(new HashedWords())
                                .topK(3)
                                .messageRange(1, 1)
                                .scope(Scope.RESOURCE))
                        .title(new PlannedModel("planned/title")))
                .build();
    }

    private static Tool look() {
        return Tool.builder("look", "Looks.")
                .input(Number.class)
                .repeatable()
                .handler((number, context) -> "saw " + number.n())
                .build();
    }

    private static Tool pay() {
        return Tool.builder("pay", "Pays.")
                .input(Number.class)
                .requiresApproval(number -> number.n() % 3 != 0)
                .handler((number, context) -> "paid " + number.n())
                .build();
    }

    private static Tool boom() {
        return Tool.builder("boom", "Fails.")
                .input(Number.class)
                .handler((number, context) -> {
                    if (number.n() % 2 == 0) {
                        throw new ToolFailureException("no " + number.n());
                    }
                    throw new IllegalStateException("bad");
                })
                .build();
    }

    private static Tool ask() {
        return Tool.builder("ask", "Asks the user.")
                .input(SequenceWorkflows.Question.class)
                .suspends(SequenceWorkflows.Question.class, SequenceWorkflows.Answer.class)
                .handler((question, context) -> {
                    var answer = context.providedData(SequenceWorkflows.Answer.class);
                    return answer.isPresent() ? "they say " + answer.get().answer() : context.suspend(question);
                })
                .build();
    }

    private static Tool big() {
        return Tool.builder("big", "Is big.")
                .input(Size.class)
                .handler((size, context) -> "é\u0000x".repeat(size.size()))
                .build();
    }

    private static Tool external() {
        return Tool.external("external", "Works elsewhere.", JsonSchema.of(Number.class));
    }
}
