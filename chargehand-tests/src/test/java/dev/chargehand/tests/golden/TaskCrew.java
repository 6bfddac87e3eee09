package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tests.Fences;
import dev.chargehand.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The agents of the corpus whose members work in the background. Part of it, so they are never changed.
 *
 * <p>The lead gives {@code @agent:prompt} to a task, and then says which results it sees.
 */
final class TaskCrew {

    /** Until then a model is overloaded. */
    private static final Instant OVERLOADED_UNTIL = Instant.parse("2026-01-05T09:03:00Z");

    private TaskCrew() {}

    private static final Tool REMOVE = Tool.builder("remove", "Does remove.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .requiresApproval()
            .handler((in, context) -> "removed " + in.at("/it").orElseThrow().text())
            .build();

    static Agent lead() {
        return Agent.builder("lead")
                .instructions("You are the lead.")
                .model("none/lead")
                .agents(
                        member("helper").build(),
                        member("remover").tools(REMOVE).build(),
                        member("flaky").defaultOptions(o -> o.retries(0)).build())
                .background(b -> b.agents("helper", "remover", "flaky").retries(3))
                .build();
    }

    private static AgentBuilder member(String id) {
        return Agent.builder(id)
                .description(id + " works.")
                .instructions("You are " + id + ".")
                .model("none/" + id);
    }

    static Script script(ManualClock clock) {
        return ScriptedModel.script()
                .on("lead")
                .answers(TaskCrew::leads)
                .forever()
                .on("helper")
                .answers(request -> said("Found " + asked(request)))
                .forever()
                .on("remover")
                .answers(request -> request.messages().getLast().role() == Role.TOOL
                        ? said("Found "
                                + Fences.without(request.messages()
                                        .getLast()
                                        .toolResults()
                                        .getFirst()
                                        .output()))
                        : calls("remove", Map.of("it", asked(request))))
                .forever()
                .on("flaky")
                .answers(request -> {
                    if (clock.now().isBefore(OVERLOADED_UNTIL)) {
                        throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
                    }
                    return said("Found " + asked(request));
                })
                .forever();
    }

    private static ModelResponse leads(ModelRequest request) {
        String asked = asked(request);
        if (!asked.startsWith("@") || hasDelegated(request)) {
            return said("Seen " + results(request));
        }
        int colon = asked.indexOf(':');
        return calls(
                "agent-" + asked.substring(1, colon), Map.of("prompt", asked.substring(colon + 1), "background", true));
    }

    private static boolean hasDelegated(ModelRequest request) {
        return request.messages().reversed().stream()
                .takeWhile(message -> message.role() != Role.USER || message.internal())
                .anyMatch(message -> message.role() == Role.TOOL);
    }

    private static String asked(ModelRequest request) {
        return request.messages().reversed().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .findFirst()
                .map(Message::text)
                .orElse("");
    }

    private static String results(ModelRequest request) {
        return request.messages().stream()
                .map(Message::text)
                .filter(text -> text.startsWith("Background task "))
                .flatMap(String::lines)
                .filter(line -> line.startsWith("Found "))
                .collect(Collectors.joining(", ", "[", "]"));
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
