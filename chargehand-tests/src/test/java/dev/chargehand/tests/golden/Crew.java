package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Fences;
import dev.chargehand.tool.InterruptedCallPolicy;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agents of the corpus. Part of it: they are never changed, or what is saved could not go on.
 *
 * <p>The boss is told what to do: {@code a b | c} are the calls of two steps, {@code tool:argument} or {@code
 * @agent:prompt}. Every model is a function of the conversation.
 */
final class Crew {

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    private Crew() {}

    private static Tool.Builder<Json> tool(String name) {
        return Tool.builder(name, "Does " + name + ".").input(ANYTHING);
    }

    private static final Tool LOOK = tool("look")
            .repeatable()
            .handler((in, context) -> Map.of("seen", in.at("/it").orElseThrow()))
            .build();

    private static final Tool SEND =
            tool("send").handler((in, context) -> "sent " + in.text()).build();

    private static final Tool PAY = tool("pay")
            .onInterruption(InterruptedCallPolicy.PARK)
            .handler((in, context) -> "paid " + in.text())
            .build();

    private static final Tool REMOVE = tool("remove")
            .requiresApproval()
            .handler((in, context) -> "removed " + in.text())
            .build();

    /** What the second version of the remover does. */
    private static final Tool ARCHIVE =
            tool("remove").handler((in, context) -> "archived " + in.text()).build();

    private static final Tool ASK = tool("ask")
            .suspends(
                    JsonSchema.of(Json.parse("{\"type\":\"string\"}")),
                    JsonSchema.of(Json.parse("{\"type\":\"integer\"}")))
            .handler((in, context) -> context.providedData()
                    .<Object>map(data -> "told " + data.text())
                    .orElseGet(() -> context.suspend("How many?")))
            .build();

    static List<Agent> agents() {
        Agent clerk = member("clerk", LOOK).build();
        Agent researcher = member("researcher").agents(clerk).build();
        Agent writer = member("writer").build();
        Agent remover = member("remover", REMOVE).build();
        Agent sleeper = member("sleeper").build();
        Agent failing = member("failing").build();
        Agent scribe = member("scribe")
                .delegationMemory(DelegationMemory.PER_PARENT_THREAD)
                .build();
        Agent named = member("named").name("The finder").build();
        Agent archiver = member("remover", ARCHIVE).version("2").build();
        Agent boss = Agent.builder("boss")
                .instructions("You are the boss.")
                .model("none/boss")
                .agents(researcher, writer, remover, sleeper, failing, scribe, named)
                .tools(LOOK, SEND, PAY, REMOVE, ASK)
                .build();
        return List.of(boss, archiver);
    }

    private static AgentBuilder member(String id, Tool... tools) {
        return Agent.builder(id)
                .description(id + " works.")
                .instructions("You are " + id + ".")
                .model("none/" + id)
                .tools(tools);
    }

    static Script script() {
        return ScriptedModel.script()
                .on("boss")
                .answers(Crew::boss)
                .forever()
                .on("researcher")
                .answers(request ->
                        hasResults(request) ? said("Facts: " + results(request)) : calls("@clerk:" + asked(request)))
                .forever()
                .on("clerk")
                .answers(request ->
                        hasResults(request) ? said("Saw " + results(request)) : calls("look:" + asked(request)))
                .forever()
                .on("writer")
                .answers(request -> said("Prose about " + asked(request)))
                .forever()
                .on("named")
                .answers(request -> said("Named " + asked(request)))
                .forever()
                .on("scribe")
                .answers(request -> said("Line " + request.messages().size()))
                .forever()
                .on("remover")
                .answers(request -> hasResults(request) ? said(results(request)) : calls("remove:" + asked(request)))
                .forever()
                .on("failing")
                .answers(request -> {
                    throw new ModelException(ModelException.Kind.AUTHENTICATION, "No key.", null);
                })
                .forever()
                .on("structurer")
                .answers(request -> said("{\"seen\":" + request.messages().size() + "}"))
                .forever()
                .on("sleeper")
                .hangs()
                .forever();
    }

    private static ModelResponse boss(ModelRequest request) {
        if (request.messages().getFirst().text().startsWith("A program has asked")) {
            return said("{\"answer\": 42}");
        }
        String wanted = request.output() == null ? "" : request.output().json().text();
        if (wanted.contains("primitiveId")) {
            return decides(request);
        }
        return wanted.contains("isComplete")
                ? checks(request.messages().getLast().text())
                : acts(request);
    }

    /** Decides what comes next, by how much has been done. */
    private static ModelResponse decides(ModelRequest request) {
        List<String> said = request.messages().stream()
                .filter(message -> message.role() == Role.USER)
                .map(Message::text)
                .toList();
        String task =
                said.stream().filter(text -> !text.startsWith("<")).findFirst().orElse("");
        int done = (int) said.stream().filter(text -> text.startsWith("<")).count();
        String[] steps = task.split("\\|", -1);
        String step = done < steps.length ? steps[done].trim() : "";
        int colon = step.indexOf(':');
        if (colon < 0) {
            return said("Let nobody do it.");
        }
        boolean delegates = step.startsWith("@");
        String what = step.substring(colon + 1);
        return said(Json.of(Map.of(
                        "primitiveId",
                        step.substring(delegates ? 1 : 0, colon),
                        "primitiveType",
                        delegates ? "agent" : "tool",
                        "prompt",
                        delegates ? what : Json.of(Map.of("it", what)).text(),
                        "selectionReason",
                        "Step " + (done + 1) + "."))
                .text());
    }

    /** Finds the task done when as much has been done as it has steps that are calls. */
    private static ModelResponse checks(String question) {
        long steps = Stream.of(question.lines().skip(1).findFirst().orElse("").split("\\|", -1))
                .filter(step -> !step.contains("json"))
                .count();
        long done = question.lines()
                .filter(line -> line.startsWith("Done so far"))
                .mapToLong(line -> line.split(":", -1)[1].split(",", -1).length)
                .sum();
        return said(Json.of(Map.of(
                        "isComplete", done >= steps, "completionReason", done + " of " + steps, "finalResult", ""))
                .text());
    }

    private static ModelResponse acts(ModelRequest request) {
        String[] steps = asked(request).split("\\|", -1);
        int done = (int) request.messages().reversed().stream()
                .takeWhile(message -> message.role() != Role.USER)
                .filter(message -> message.role() == Role.TOOL)
                .count();
        String step = done < steps.length ? steps[done].trim() : "";
        return switch (step) {
            case "cut" -> ended("Half an ans", FinishReason.LENGTH);
            case "filtered" -> ended("", FinishReason.CONTENT_FILTER);
            case "missing" -> ended("Who knows", FinishReason.MISSING);
            case "json" -> said("{\"seen\":" + request.messages().size() + "}");
            case "mend" ->
                said(isTold(request) ? "{\"seen\":" + request.messages().size() + "}" : "Well.");
            case "fail" -> throw new ModelException(ModelException.Kind.PROTOCOL, "Not the protocol.", null);
            case "" -> said("Done after " + request.messages().size() + " messages: " + results(request));
            default -> calls(step.split(" ", -1));
        };
    }

    /** Tells whether the framework said something to the model last. */
    private static boolean isTold(ModelRequest request) {
        return request.messages().getLast().internal();
    }

    private static String asked(ModelRequest request) {
        return request.messages().reversed().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    private static boolean hasResults(ModelRequest request) {
        return request.messages().getLast().role() == Role.TOOL;
    }

    private static String results(ModelRequest request) {
        return request.messages().reversed().stream()
                .filter(message -> message.role() == Role.TOOL)
                .findFirst()
                .map(message -> message.toolResults().stream()
                        .map(Part.ToolResult::output)
                        .map(Fences::without) // the stored runs are from before there were any
                        .collect(Collectors.joining(", ")))
                .orElse("nothing");
    }

    private static ModelResponse said(String text) {
        return ended(text, FinishReason.STOP);
    }

    private static ModelResponse ended(String text, FinishReason finish) {
        return new ModelResponse(text, "Hm.", List.of(), finish, new Usage(10, 5, 2, 1));
    }

    private static ModelResponse calls(String... calls) {
        List<ModelResponse.RequestedCall> requested = new ArrayList<>();
        for (String call : calls) {
            String what = call.substring(call.indexOf(':') + 1);
            boolean delegates = call.startsWith("@");
            String name = call.substring(delegates ? 1 : 0, call.indexOf(':'));
            requested.add(new ModelResponse.RequestedCall(
                    "p" + requested.size(),
                    delegates ? "agent-" + name : name,
                    Json.of(Map.of(delegates ? "prompt" : "it", what)).text()));
        }
        return new ModelResponse("I act.", "", requested, FinishReason.TOOL_CALLS, Usage.of(10, 5));
    }
}
