package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.run.Budget;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.version.Version;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A request to start a run: its input, its thread, and the options that a caller may set. */
final class StartRequest {

    private static final int STEPS = 10;
    private static final int METADATA = 16;
    private static final int METADATA_LENGTH = 512;
    private static final int INPUT_LENGTH = 4 * 1024 * 1024;
    private static final String INPUT_RULE = "must be a text, or a list of messages";
    private static final String TOOLS_RULE = "must be a list of names of tools";
    private static final Set<String> MESSAGE = Set.of("role", "content");

    private static final Set<String> OPTIONS = RunShapes.OPTIONS.names();
    private static final Set<String> WORKFLOW_OPTIONS = RunShapes.WORKFLOW_OPTIONS.names();

    private final Agent agent;
    private final Fields body;
    private final ServerState state;

    /** Read a request. */
    StartRequest(ServerState state, Agent agent, Json body) {
        this(state, agent, Fields.of(body, RunShapes.START));
    }

    /** Read a request whose fields are known. */
    StartRequest(ServerState state, Agent agent, Fields body) {
        this.state = state;
        this.agent = agent;
        this.body = body;
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
        for (Fields message : body.objects("input", MESSAGE, INPUT_RULE)) {
            if (!message.text("role").orElse("user").equals("user")) {
                throw Problem.ROLE_NOT_ALLOWED.of(
                        "The input may have messages with the role 'user' only; the thread has the others.");
            }
            messages.add(Message.user(
                    message.text("content", INPUT_LENGTH).orElseThrow(() -> message.problem("content", "is missing"))));
        }
        if (messages.isEmpty()) {
            throw body.problem("input", INPUT_RULE);
        }
        return messages;
    }

    /** Return the versions of agents that the caller selects, by the ids of the agents. */
    Map<String, Version> versions() {
        return versions(state, known(body, OPTIONS));
    }

    /** Return the options that a caller sets for a run of a workflow, which checks its state itself. */
    static Consumer<RunOptions.Builder> ofWorkflow(ServerState state, Fields body) {
        Fields options = known(body, WORKFLOW_OPTIONS);
        Optional<Json> initial = options.json("initialState");
        return selecting(versions(state, options))
                .andThen(context(state, options.map("requestContext")))
                .andThen(builder -> initial.ifPresent(builder::initialState));
    }

    private static Fields known(Fields body, Set<String> names) {
        return body.object("options", names).orElse(Fields.of(Json.of(Map.of()), names));
    }

    private static Map<String, Version> versions(ServerState state, Fields options) {
        Optional<Fields> selected = options.object("versions", Set.of("agents"));
        Map<String, Json> byId = selected.map(it -> it.map("agents")).orElse(Map.of());
        Map<String, Version> versions = new LinkedHashMap<>();
        byId.keySet().forEach(id -> {
            if (!state.choices().versionsOf().contains(id)) {
                Set<String> may = new TreeSet<>(state.choices().versionsOf());
                throw Problem.VERSION_NOT_SELECTABLE.of("Callers may select versions of these agents only: "
                        + (may.isEmpty() ? "none" : String.join(", ", may)) + ".");
            }
            Fields agents =
                    selected.orElseThrow().object("agents", byId.keySet()).orElseThrow();
            Fields version = agents.object(id, Set.of("status", "versionId"))
                    .orElseThrow(() -> agents.problem(id, "must have the field 'status' or 'versionId'"));
            versions.put(id, version(agents, id, version));
        });
        return versions;
    }

    private static Version version(Fields agents, String id, Fields version) {
        Optional<String> status = version.text("status");
        Optional<String> versionId = version.text("versionId", Version.LONGEST);
        if (status.isPresent() == versionId.isPresent()) {
            throw agents.problem(id, "must have one of the fields 'status' and 'versionId'");
        }
        status.filter(text -> !text.equals("published")).ifPresent(text -> {
            throw version.problem("status", "must be 'published'");
        });
        return versionId.map(Version::id).orElse(Version.published());
    }

    private static Consumer<RunOptions.Builder> selecting(Map<String, Version> versions) {
        return builder -> versions.forEach(builder::version);
    }

    /** Return the options that the caller sets, with the versions that it selects. */
    Consumer<RunOptions.Builder> options(TenantRuntime runtime) {
        return options(runtime, versions(), Optional.empty());
    }

    /**
     * Return the options that the caller sets.
     *
     * @param selected the versions that are options of the run
     * @param own the version of the agent that is executed, if it is not one of them
     */
    Consumer<RunOptions.Builder> options(TenantRuntime runtime, Map<String, Version> selected, Optional<Version> own) {
        Fields options = known(body, OPTIONS);
        Consumer<RunOptions.Builder> versions =
                selecting(selected).andThen(builder -> own.ifPresent(version -> builder.version(agent.id(), version)));
        Map<String, Object> most =
                runtime.effectiveOptions(agent, versions).changed(); // limits are those of the version
        List<Consumer<RunOptions.Builder>> changes = new ArrayList<>();
        options.number("maxSteps").ifPresent(steps -> {
            requireLowered("maxSteps", steps, most.get("maxSteps") instanceof Integer value ? value : STEPS);
            changes.add(builder -> builder.maxSteps(steps.intValue()));
        });
        options.object("budget", Set.of("tokens", "cost", "calls"))
                .ifPresent(budget -> changes.add(budget(budget, most)));
        options.list("activeTools", TOOLS_RULE).ifPresent(names -> changes.add(activeTools(options, names, most)));
        options.json("structuredOutput").ifPresent(schema -> changes.add(structured(schema)));
        changes.add(selecting(selected));
        changes.add(context(state, options.map("requestContext")));
        changes.add(metadata(body.map("metadata")));
        return builder -> changes.forEach(change -> change.accept(builder));
    }

    private static Consumer<RunOptions.Builder> budget(Fields fields, Map<String, Object> own) {
        Budget before = own.get("budget") instanceof Budget budget ? budget : Budget.NONE;
        Optional<Long> tokens = fields.number("tokens");
        Optional<Integer> calls = fields.number("calls").map(number -> {
            if (number > Integer.MAX_VALUE) {
                throw fields.problem("calls", "must be a whole number of at most " + Integer.MAX_VALUE);
            }
            return number.intValue();
        });
        Optional<BigDecimal> cost = fields.json("cost").map(value -> {
            try {
                return new BigDecimal(value.text().strip());
            } catch (NumberFormatException e) {
                throw fields.problem("cost", "must be a number");
            }
        });
        Optional.ofNullable(before.tokens())
                .ifPresent(most -> tokens.ifPresent(it -> requireLowered("tokens", it, most)));
        Optional.ofNullable(before.calls()).ifPresent(most -> calls.ifPresent(it -> requireLowered("calls", it, most)));
        Optional.ofNullable(before.cost())
                .filter(most -> cost.filter(it -> it.compareTo(most) > 0).isPresent())
                .ifPresent(most -> {
                    throw notLowered("cost", most.toPlainString());
                });
        return builder -> builder.budget(budget -> {
            Budget changed = tokens.map(budget::tokens).orElse(budget);
            changed = cost.map(changed::cost).orElse(changed);
            return calls.map(changed::calls).orElse(changed);
        });
    }

    private static Consumer<RunOptions.Builder> activeTools(Fields options, List<Json> names, Map<String, Object> own) {
        List<String> tools = names.stream()
                .map(name -> name.string().orElseThrow(() -> options.problem("activeTools", TOOLS_RULE)))
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
                    "The field '/options/structuredOutput' must be a JSON Schema. " + HttpWords.of(e));
        }
    }

    private static Consumer<RunOptions.Builder> context(ServerState state, Map<String, Json> values) {
        RequestContext context = RequestContext.empty();
        for (Map.Entry<String, Json> value : values.entrySet()) {
            if (!state.choices().contextKeys().contains(value.getKey())) {
                throw Problem.BAD_REQUEST.of(
                        "The field '/options/requestContext' has a value that callers may not set; they may set "
                                + (state.choices().contextKeys().isEmpty()
                                        ? "none"
                                        : String.join(
                                                ", ",
                                                state.choices().contextKeys().stream()
                                                        .sorted()
                                                        .toList()))
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
