package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.run.Budget;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.shape.RunShapes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A request to start a run: its input, its thread, and the options that a caller may set. */
final class StartRequest {

    private static final int STEPS = 10;
    private static final int METADATA = 16;
    private static final int METADATA_LENGTH = 512;
    private static final int INPUT_LENGTH = 4 * 1024 * 1024;

    private static final Set<String> OPTIONS = Set.copyOf(RunShapes.OPTIONS.names());

    private final Agent agent;
    private final Fields body;
    private final Set<String> contextKeys;

    /**
     * Read a request.
     *
     * @param contextKeys which values of the request context callers may set
     */
    StartRequest(Agent agent, Json body, Set<String> contextKeys) {
        this(agent, Fields.of(body, RunShapes.START), contextKeys);
    }

    /** Read a request whose fields are known. */
    StartRequest(Agent agent, Fields body, Set<String> contextKeys) {
        this.agent = agent;
        this.body = body;
        this.contextKeys = contextKeys;
    }

    /** Return the thread that the caller names. */
    Optional<String> thread() {
        return body.text("thread");
    }

    /** Return the resource that the caller names. */
    Optional<String> resource() {
        return body.text("resource");
    }

    /** Return the messages of the input. */
    List<Message> input() {
        Json input = body.json("input").orElseThrow(() -> body.problem("input", "is missing"));
        if (input.string().isPresent()) {
            return List.of(Message.user(body.text("input", INPUT_LENGTH).orElseThrow()));
        }
        List<Message> messages = new ArrayList<>();
        for (Json each : body.list("input").orElseThrow()) {
            Fields message = Fields.of(each, Set.of("role", "content"));
            String role = message.text("role").orElse("user");
            if (!role.equals("user")) {
                throw Problem.ROLE_NOT_ALLOWED.of(
                        "The input may have messages with the role 'user' only; the thread has the others.");
            }
            messages.add(Message.user(message.text("content", INPUT_LENGTH)
                    .orElseThrow(() -> body.problem("input/" + messages.size() + "/content", "is missing"))));
        }
        if (messages.isEmpty()) {
            throw body.problem("input", "must be a text, or a list with at least one message");
        }
        return messages;
    }

    /** Return the options that the caller sets. */
    Consumer<RunOptions.Builder> options() {
        Fields options = body.object("options", OPTIONS).orElse(Fields.of(Json.of(Map.of()), OPTIONS));
        Map<String, Object> own = agent.defaultOptions().changed();
        List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();
        options.number("maxSteps").ifPresent(steps -> {
            long most = own.get("maxSteps") instanceof Integer value ? value : STEPS;
            requireLowered("maxSteps", steps, most);
            changes.add(builder -> builder.maxSteps(steps.intValue()));
        });
        options.object("budget", Set.of("tokens", "cost", "calls"))
                .ifPresent(budget -> changes.add(budget(budget, own)));
        options.list("activeTools").ifPresent(names -> changes.add(activeTools(names, own)));
        options.json("structuredOutput").ifPresent(schema -> changes.add(structured(schema)));
        changes.add(context(options.map("requestContext")));
        changes.add(metadata(body.map("metadata")));
        return builder -> changes.forEach(change -> change.accept(builder));
    }

    private static Consumer<RunOptions.Builder> budget(Fields fields, Map<String, Object> own) {
        Budget before = own.get("budget") instanceof Budget budget ? budget : Budget.NONE;
        Optional<Long> tokens = fields.number("tokens");
        Optional<Long> calls = fields.number("calls");
        Optional<BigDecimal> cost = fields.json("cost").map(value -> {
            try {
                return new BigDecimal(value.text().strip());
            } catch (NumberFormatException e) {
                throw fields.problem("cost", "must be a number");
            }
        });
        Optional.ofNullable(before.tokens())
                .ifPresent(most -> tokens.ifPresent(it -> requireLowered("tokens", it, most)));
        Optional.ofNullable(before.calls())
                .ifPresent(most -> calls.ifPresent(it -> requireLowered("calls", it, most.longValue())));
        Optional.ofNullable(before.cost())
                .filter(most -> cost.filter(it -> it.compareTo(most) > 0).isPresent())
                .ifPresent(most -> {
                    throw notLowered("cost", most.toPlainString());
                });
        return builder -> builder.budget(budget -> {
            Budget changed = tokens.map(budget::tokens).orElse(budget);
            changed = cost.map(changed::cost).orElse(changed);
            return calls.map(Math::toIntExact).map(changed::calls).orElse(changed);
        });
    }

    private static Consumer<RunOptions.Builder> activeTools(List<Json> names, Map<String, Object> own) {
        List<String> tools = names.stream()
                .map(name -> name.string()
                        .orElseThrow(() ->
                                Problem.BAD_REQUEST.of("The field '/options/activeTools' must be a list of texts.")))
                .toList();
        if (own.get("activeTools") instanceof Collection<?> allowed && !allowed.containsAll(tools)) {
            throw notLowered("activeTools", allowed.toString());
        }
        return builder -> builder.activeTools(tools.toArray(String[]::new));
    }

    private static Consumer<RunOptions.Builder> structured(Json schema) {
        try {
            JsonSchema read = JsonSchema.of(schema);
            read.mistakes().stream().findFirst().ifPresent(mistake -> {
                throw Problem.INVALID_SCHEMA.of(
                        "The field '/options/structuredOutput' must be a JSON Schema: " + mistake);
            });
            StructuredOutput output = StructuredOutput.of(read);
            return builder -> builder.structuredOutput(output);
        } catch (ConfigurationException e) {
            throw Problem.INVALID_SCHEMA.of(
                    "The field '/options/structuredOutput' must be a JSON Schema. " + e.publicMessage());
        }
    }

    private Consumer<RunOptions.Builder> context(Map<String, Json> values) {
        RequestContext context = RequestContext.empty();
        for (Map.Entry<String, Json> value : values.entrySet()) {
            if (!contextKeys.contains(value.getKey())) {
                throw Problem.BAD_REQUEST.of(
                        "The field '/options/requestContext' has a value that callers may not set; they may set "
                                + (contextKeys.isEmpty()
                                        ? "none"
                                        : String.join(
                                                ", ",
                                                contextKeys.stream().sorted().toList()))
                                + ".");
            }
            context = context.with(RequestContext.Key.of(value.getKey(), Json.class), value.getValue());
        }
        RequestContext all = context;
        return values.isEmpty() ? builder -> {} : builder -> builder.requestContext(all);
    }

    private static Consumer<RunOptions.Builder> metadata(Map<String, Json> values) {
        if (values.size() > METADATA) {
            throw Problem.BAD_REQUEST.of("The field '/metadata' may have at most " + METADATA + " values.");
        }
        if (ReservedNames.isAmong(values.keySet())) {
            throw Problem.BAD_REQUEST.of("The field '/metadata' " + ReservedNames.MESSAGE + ".");
        }
        List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();
        values.forEach((key, value) -> {
            String text = value.string()
                    .filter(it -> it.length() <= METADATA_LENGTH && key.length() <= METADATA_LENGTH)
                    .orElseThrow(
                            () -> Problem.BAD_REQUEST.of("The values of the field '/metadata' must be texts of at most "
                                    + METADATA_LENGTH + " characters."));
            changes.add(builder -> builder.metadata(key, text));
        });
        return builder -> changes.forEach(change -> change.accept(builder));
    }

    private static void requireLowered(String name, long value, long most) {
        if (value > most) {
            throw notLowered(name, Long.toString(most));
        }
    }

    private static RuntimeException notLowered(String name, String most) {
        return Problem.LIMIT_NOT_LOWERED.of("The option '" + name + "' can only be lowered; it is " + most + " here.");
    }
}
