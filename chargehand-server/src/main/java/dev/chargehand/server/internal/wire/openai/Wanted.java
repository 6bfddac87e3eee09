package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.message.Message;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ExternalTools;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.openai.conversation.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What chat completions and responses have in common: an agent, perhaps with a thread, and options.
 *
 * @param agent the agent
 * @param network whether it is run as a network
 * @param thread the thread that the name of the model has; empty for none
 */
record Wanted(Agent agent, boolean network, Optional<String> thread) {

    private static final String NETWORK = "/network";

    private static final ExternalTools.Choice OF_CHATS =
            new ExternalTools.Choice("tool_choice", "function", Optional.of("function"), "name");

    private static final ExternalTools.Choice OF_RESPONSES =
            new ExternalTools.Choice("tool_choice", "function", Optional.empty(), "name");

    /** Read {@code agent} or {@code agent@thread}; {@code /network} after the agent runs it as a network. */
    static Wanted of(WireRuns runs, Principal principal, Body body) {
        String model = body.requiredId("model");
        if (model.indexOf('@') == model.length() - 1) {
            throw body.problem("model", "must be the id of an agent, or that id, '@' and a thread");
        }
        return of(runs, principal, model);
    }

    /** Find what the name of a model stands for. */
    static Wanted of(WireRuns runs, Principal principal, String model) {
        int at = model.indexOf('@');
        return new Wanted(
                runs.find(principal, agentId(model)).orElseThrow(Wanted::unknown),
                runnable(model).endsWith(NETWORK),
                at < 0 ? Optional.empty() : Optional.of(model.substring(at + 1)));
    }

    /** Return the id of the agent that the name of a model has. */
    static String agentId(String model) {
        String name = runnable(model);
        return name.endsWith(NETWORK) ? name.substring(0, name.length() - NETWORK.length()) : name;
    }

    /** Return the name of a model without a thread. */
    private static String runnable(String model) {
        int at = model.indexOf('@');
        return at < 0 ? model : model.substring(0, at);
    }

    private static RuntimeException unknown() {
        return Problem.AGENT_UNKNOWN
                .of("There is no agent with the id that 'model' names; GET /v1/models lists the agents.")
                .with("param", "model");
    }

    /**
     * Read the tools that the client executes.
     *
     * @param nested whether a tool is described, and named by a choice, in the field {@code function}
     */
    ExternalTools tools(WireRuns runs, Principal principal, Body body, boolean nested) {
        if (!body.list("functions").isEmpty()) {
            throw body.problem("functions", "is not offered: use 'tools'");
        }
        ExternalTools.Choice form = nested ? OF_CHATS : OF_RESPONSES;
        ToolChoice choice = form.of(body);
        if (network && !(choice instanceof ToolChoice.Auto || choice instanceof ToolChoice.None)) {
            throw body.problem("tool_choice", "must be 'auto' or 'none': a network decides what it calls");
        }
        List<ExternalTools.Sent> sent = new ArrayList<>();
        for (Body tool : body.objects("tools")) {
            if (!tool.requiredId("type").equals("function")) {
                throw tool.problem("type", "must be 'function': an agent has other tools of its own");
            }
            Body function =
                    nested ? tool.object("function").orElseThrow(() -> tool.problem("function", "is missing")) : tool;
            sent.add(new ExternalTools.Sent(
                    function,
                    function.requiredId("name"),
                    function.text("description").orElse(""),
                    function.object("parameters").flatMap(it -> function.json("parameters"))));
        }
        return ExternalTools.of(agent, body, "tools", choice instanceof ToolChoice.None ? List.of() : sent)
                .choosing(form, body, () -> runs.runtime(principal)
                        .effectiveOptions(agent, options -> {})
                        .changed());
    }

    /** Return the options of a request. */
    static Consumer<RunOptions.Builder> options(
            Body body, Optional<Integer> tokens, Optional<StructuredOutput> format) {
        List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();
        tokens.ifPresent(most -> changes.add(WireOptions.tokens(most)));
        format.ifPresent(output -> changes.add(options -> options.structuredOutput(output)));
        Map<String, String> values = metadata(body);
        changes.add(options -> values.forEach(options::metadata));
        return options -> changes.forEach(change -> change.accept(options));
    }

    /** Return the metadata of a request; none if it has none. */
    static Map<String, String> metadata(Body body) {
        return Metadata.of(body);
    }

    /** Return the run that is wanted. */
    StartWish wish(List<Message> input) {
        return new StartWish(agent, input).network(network);
    }
}
