package dev.chargehand.tests.upgrade;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agents and workflows of the stores that {@link WorkshopWriter} writes: a lead whose members work in the background, a scholar with memory,
 * a writer with saved versions, and workflows that wait. Every model is a function of its conversation. Part of the corpus: changed
 * only so that it compiles.
 */
final class Workshop {

    /** What the scholar may know. */
    static final List<String> FACTS = List.of("Ann keeps bees", "honey is in the cellar");

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    private static final Step<String, String> ASK = Step.builder("ask", String.class, String.class)
            .suspends(String.class, Integer.class)
            .handler((in, context) ->
                    in + " for " + context.resumeData(Integer.class).orElseGet(() -> context.suspend("For how many?")))
            .build()
            .repeatable();

    private static final Step<String, String> BOIL = Step.of(
                    "boil", String.class, String.class, (in, context) -> "boiled " + in)
            .repeatable();

    private static final Step<String, String> POUR = Step.of(
                    "pour", String.class, String.class, (in, context) -> "poured " + in)
            .repeatable();

    static final Workflow<String, String> ASKING = Workflow.from("asking", String.class)
            .then(BOIL)
            .then(ASK)
            .then(POUR)
            .build(String.class);

    static final Workflow<String, String> SLEEPING = Workflow.from("sleeping", String.class)
            .then(BOIL)
            .sleep("cool", Duration.ofHours(2))
            .then(POUR)
            .build(String.class);

    static final Workflow<String, String> NESTING = Workflow.from("nesting", String.class)
            .then(BOIL)
            .then(Workflow.from("inner", String.class).then(POUR).build(String.class))
            .build(String.class);

    private Workshop() {}

    /** Open a runtime in which nothing happens by itself but the work of memory after a run. */
    static AgentRuntime open(Store store, String ids, TimeSource time) {
        AtomicLong count = new AtomicLong();
        IdSource source = prefix -> prefix + ids + count.incrementAndGet();
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .timeSource(time)
                .idSource(source)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .agents(lead(), scholar(), writer("1", "prose"))
                .workflows(ASKING, SLEEPING, NESTING)
                .catalog(AgentCatalog.stored((id, version, document) -> writer(version, document)))
                .build();
    }

    private static Agent lead() {
        return member("lead", Workshop::leads)
                .agents(
                        member("helper", request -> said("Found " + asked(request)))
                                .build(),
                        member(
                                        "remover",
                                        request -> hasResults(request)
                                                ? said("Found " + results(request))
                                                : calls("remove", Map.of("it", asked(request))))
                                .tools(approved("remove"))
                                .build())
                .background(b -> b.agents("helper", "remover"))
                .build();
    }

    private static Agent scholar() {
        return member("scholar", Workshop::studies)
                .memory(memory -> memory.lastMessages(2)
                        .semanticRecall(recall -> recall.by(new HashedWords()).scope(Scope.RESOURCE))
                        .workingMemory(WorkingMemory.template("# Notes").scope(Scope.RESOURCE)))
                .build();
    }

    /** An agent that prints what it has written in a style, if that is approved. */
    private static Agent writer(String version, String style) {
        return member(
                        "writer",
                        request -> hasResults(request)
                                ? said(results(request) + " in " + style)
                                : asked(request).startsWith("print")
                                        ? calls("print", Map.of("it", asked(request)))
                                        : said("Written in " + style))
                .version(version)
                .tools(approved("print"))
                .build();
    }

    private static AgentBuilder member(String id, Function<ModelRequest, ModelResponse> model) {
        return Agent.builder(id)
                .description(id + " works.")
                .model(ScriptedModel.script().on(id).answers(model).forever().modelFor(id));
    }

    private static Tool approved(String name) {
        return Tool.builder(name, "Does " + name + ".")
                .input(ANYTHING)
                .requiresApproval()
                .handler((in, context) -> name + " done")
                .build();
    }

    /** Gives {@code @member:prompt} to a task, and else says which results it sees. */
    private static ModelResponse leads(ModelRequest request) {
        String asked = asked(request);
        if (!asked.startsWith("@") || hasCalled(request)) {
            return said(request.messages().stream()
                    .map(Message::text)
                    .filter(text -> text.startsWith("Background task "))
                    .flatMap(String::lines)
                    .filter(line -> line.startsWith("Found "))
                    .collect(Collectors.joining(", ", "Seen [", "]")));
        }
        int colon = asked.indexOf(':');
        return calls(
                "agent-" + asked.substring(1, colon), Map.of("prompt", asked.substring(colon + 1), "background", true));
    }

    /** Notes what follows {@code Note:}, and else says what it sees of the facts. */
    private static ModelResponse studies(ModelRequest request) {
        String asked = asked(request);
        if (asked.startsWith("Note:") && !hasCalled(request)) {
            return calls(
                    WorkingMemory.TOOL,
                    Map.of(
                            "edits",
                            List.of(Map.of(
                                    "find",
                                    "",
                                    "write",
                                    "\n- " + asked.substring(5).trim()))));
        }
        return said(FACTS.stream()
                .filter(fact -> memory(request).anyMatch(text -> text.contains(fact)))
                .collect(Collectors.joining(", ", "Known [", "]")));
    }

    private static Stream<String> memory(ModelRequest request) {
        return request.messages().stream().filter(Message::internal).map(Message::text);
    }

    private static boolean hasCalled(ModelRequest request) {
        return request.messages().reversed().stream()
                .takeWhile(message -> message.role() != Role.USER || message.internal())
                .anyMatch(message -> message.role() == Role.TOOL);
    }

    private static boolean hasResults(ModelRequest request) {
        return request.messages().getLast().role() == Role.TOOL;
    }

    private static String results(ModelRequest request) {
        return request.messages().getLast().toolResults().stream()
                .map(Part.ToolResult::output)
                .collect(Collectors.joining(", "));
    }

    private static String asked(ModelRequest request) {
        return request.messages().reversed().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    private static ModelResponse said(String text) {
        return ModelResponse.text(text, Usage.of(10, 5));
    }

    private static ModelResponse calls(String tool, Map<String, Object> arguments) {
        return new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall(
                        "p0", tool, Json.of(arguments).canonical().text())),
                FinishReason.TOOL_CALLS,
                Usage.of(10, 5));
    }
}
