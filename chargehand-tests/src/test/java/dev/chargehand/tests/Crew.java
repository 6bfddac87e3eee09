package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The agents and tools of the reference cases. */
final class Crew {

    private Crew() {}

    record Sum(int a, int b) {}

    record Number(int n) {}

    record Query(@Nullable String q) {}

    /** A schema that takes any object. */
    static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    static final Tool CALC = Tool.of("calc", "Adds.", Sum.class, (in, ctx) -> Map.of("sum", in.a() + in.b()));

    static final Tool BOOM = Tool.of(
            "boom", "Breaks.", Number.class, (in, ctx) -> Steps.failing(new IllegalStateException("tool exploded")));

    static final Tool OK = Tool.builder("ok", "Is fine.")
            .input(ANYTHING)
            .handler((in, ctx) -> Map.of("fine", true))
            .build();

    static final Tool LOOK =
            Tool.of("look", "Looks.", Query.class, (in, ctx) -> Json.parse("{\"secret\":\"S3\",\"n\":1}"));

    static Agent member(String id, Tool... tools) {
        return Agent.builder(id)
                .description(id + " description")
                .instructions("You are " + id + ".")
                .model("none/none")
                .tools(tools)
                .build();
    }

    static Agent agent(String id) {
        return agent(id, agent -> {});
    }

    /** An agent that has what a test gives it. */
    static Agent agent(String id, Consumer<AgentBuilder> settings) {
        AgentBuilder builder =
                Agent.builder(id).description(id + " description").model("none/none");
        settings.accept(builder);
        return builder.build();
    }

    static Agent member(String id, Consumer<AgentBuilder> settings) {
        return agent(id, settings.andThen(agent -> agent.instructions("You are " + id + ".")));
    }

    /** A runtime of agents that play a script. */
    static TestRuntime playing(Script script, Agent... agents) {
        return TestRuntime.builder(script).agents(agents).build();
    }

    /** A runtime of one of several processes on a store. */
    static TestRuntime playing(Store store, Script script, Agent... agents) {
        return TestRuntime.builder(script)
                .store(store)
                .ids(IdSource.secure())
                .agents(agents)
                .build();
    }

    /** In the thread {@code t} of {@code u}. */
    static void inThread(RunOptions.Builder options) {
        options.thread("t").resource("u");
    }

    static final Agent RESEARCHER = member("researcher");

    static final Agent WRITER = member("writer");

    /** A supervisor of researcher and writer. */
    static Agent supervisor(Tool... tools) {
        return supervisorOf(RESEARCHER, tools);
    }

    static Agent supervisorOf(Agent researcher, Tool... tools) {
        return Agent.builder("supervisor")
                .instructions("You supervise.")
                .model("none/none")
                .agents(researcher, WRITER)
                .tools(tools)
                .build();
    }

    /** Runs an agent by generate, or by stream and reads the stream to its end. */
    static RunResult play(Agent agent, boolean streamed, Consumer<RunOptions.Builder> options) {
        if (!streamed) {
            return agent.generate("Do the task", options);
        }
        try (RunStream run = agent.stream("Do the task", options)) {
            run.forEach(event -> {});
            return run.result();
        }
    }

    /** An agent without sub-agents. */
    static Agent solo(Tool... tools) {
        return Agent.builder("solo").model("none/none").tools(tools).build();
    }
}
