package dev.chargehand.tests.upgrade;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The agents of the stored runs: the boss asks the lead, the lead asks the clerk, and the clerk looks, or pays once that
 * is approved. Every model is a function of its conversation. Part of the corpus: changed only so that it compiles.
 */
final class Office {

    private static final JsonSchema ANYTHING = JsonSchema.of(Json.parse("{\"type\":\"object\"}"));

    private static final Tool LOOK = Tool.builder("look", "Looks.")
            .input(ANYTHING)
            .repeatable()
            .handler((in, context) -> "seen " + in.text())
            .build();

    private static final Tool PAY = Tool.builder("pay", "Pays.")
            .input(ANYTHING)
            .requiresApproval()
            .handler((in, context) -> "paid " + in.text())
            .build();

    private Office() {}

    static Agent[] agents() {
        Agent clerk = member("clerk").tools(LOOK, PAY).build();
        Agent lead = member("lead").agents(clerk).build();
        return new Agent[] {
            member("boss").agents(lead).build(), member("talker").build()
        };
    }

    private static AgentBuilder member(String id) {
        return Agent.builder(id).description(id + " works.").model("none/" + id);
    }

    static Script script() {
        return ScriptedModel.script()
                .on("boss")
                .answers(delegating("lead"))
                .forever()
                .on("lead")
                .answers(delegating("clerk"))
                .forever()
                .on("clerk")
                .answers(request -> hasResults(request)
                        ? said("Clerk: " + results(request))
                        : calls(asked(request).startsWith("pay") ? "pay" : "look", "it", asked(request)))
                .forever()
                .on("talker")
                .answers(request -> said("Talked about " + asked(request).length() + " characters."))
                .forever();
    }

    private static Function<ModelRequest, ModelResponse> delegating(String to) {
        return request -> hasResults(request)
                ? said("Done: " + results(request).length())
                : calls("agent-" + to, "prompt", asked(request));
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
        return request.messages().getLast().toolResults().stream()
                .map(Part.ToolResult::output)
                .collect(Collectors.joining(", "));
    }

    private static ModelResponse said(String text) {
        return new ModelResponse(text, "", List.of(), FinishReason.STOP, Usage.of(10, 5));
    }

    private static ModelResponse calls(String tool, String key, String value) {
        return new ModelResponse(
                "",
                "",
                List.of(new ModelResponse.RequestedCall(
                        "p0", tool, Json.of(Map.of(key, value)).text())),
                FinishReason.TOOL_CALLS,
                Usage.of(10, 5));
    }
}
