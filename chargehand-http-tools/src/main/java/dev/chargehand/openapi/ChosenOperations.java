package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.httptools.ToolOptions;
import dev.chargehand.openapi.OpenApiDocument.DocumentedOperation;
import dev.chargehand.openapi.OpenApiTools.OperationOptions;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the chosen operations in their document. */
final class ChosenOperations {

    private static final int LONGEST_NAME = 64;
    private static final int LONGEST_DESCRIPTION = 1_000;
    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private final OpenApiOptions options;
    private final OpenApiDocument document;
    private final Mistakes mistakes;
    private final @Nullable Setting server;
    private final Set<String> taken;

    /** Prepare reading; {@code server} is null for that of the document. */
    ChosenOperations(OpenApiOptions options, OpenApiDocument document, Mistakes mistakes, @Nullable Setting server) {
        this.options = options;
        this.document = document;
        this.mistakes = mistakes;
        this.server = server;
        this.taken = new HashSet<>(options.reserved);
    }

    /** Return the operations that were found. */
    List<Operation> read() {
        List<String> titles =
                document.operations().stream().map(DocumentedOperation::title).toList();
        if (options.operations.isEmpty()) {
            mistakes.add(
                    options.common.place("operations"),
                    options.common.what() + " needs 'operations', those that agents may call."
                            + NameSuggestions.few("There are", "", titles));
        }
        List<Operation> found = new ArrayList<>();
        Set<String> before = new HashSet<>();
        for (OperationOptions chosen : options.operations) {
            if (before.add(chosen.chosen)) {
                add(chosen, titles, found);
            } else {
                mistakes.add(
                        options.common.place(option(chosen), "operations"),
                        "'" + Section.shown(chosen.chosen) + "' stands twice in 'operations' of "
                                + options.common.what() + ". Leave one of them out.");
            }
        }
        return found;
    }

    private static String option(OperationOptions chosen) {
        return "operations." + chosen.chosen;
    }

    private void add(OperationOptions chosen, List<String> titles, List<Operation> to) {
        List<DocumentedOperation> found = document.operations().stream()
                .filter(operation -> operation.is(chosen.chosen))
                .toList();
        if (found.isEmpty()) {
            mistakes.add(
                    options.common.place(option(chosen), "operations"),
                    "unknown operation '" + Section.shown(chosen.chosen) + "' of " + options.common.what() + " in "
                            + document.name() + "." + NameSuggestions.few("There are", chosen.chosen, titles));
        } else if (found.size() > 1) {
            document.mistakes()
                    .add(
                            found.get(1).section().at("operationId"),
                            "the operationId '" + Section.shown(chosen.chosen)
                                    + "' stands twice in the document. Change one of them.");
        } else {
            to.add(operation(chosen, found.getFirst()));
        }
    }

    private Operation operation(OperationOptions chosen, DocumentedOperation operation) {
        if (operation.method().equals("TRACE")) {
            mistakes.add(
                    options.common.place(option(chosen), "operations"),
                    "operation '" + Section.shown(chosen.chosen) + "' is a TRACE, which no tool sends.");
        }
        OperationReader.Filled filled =
                new OperationReader(document, operation, options.headers.keySet(), options.query.keySet()).read();
        boolean safe = SAFE.contains(operation.method());
        return new Operation(
                name(chosen, operation),
                operation.method(),
                server == null ? ServerAddress.of(document, operation) : server,
                operation.path(),
                description(chosen, operation),
                filled.parameters(),
                filled.body(),
                filled.input(),
                first(chosen.approval, options.approval, !safe),
                first(chosen.repeatable, options.repeatable, safe),
                first(chosen.polling, options.polling, false));
    }

    private static boolean first(@Nullable Boolean own, @Nullable Boolean all, boolean byDefault) {
        return own != null ? own : all != null ? all : byDefault;
    }

    private String name(OperationOptions chosen, DocumentedOperation operation) {
        String what = "operation '" + Section.shown(chosen.chosen) + "'";
        String given = chosen.name;
        String name = given == null ? legal(operation) : given;
        Setting setting = given == null
                ? options.common.setting(name, option(chosen), "operations")
                : options.common.setting(name, option(chosen) + ".name", option(chosen), "operations");
        if (given != null) {
            ToolOptions.requireName(name, what, setting.at(), mistakes);
        }
        if (!taken.add(name)) {
            mistakes.add(
                    setting.at(),
                    what + " becomes the tool '" + Section.shown(name)
                            + "', which exists already. Give it another 'name'.");
        }
        return Tool.isValidName(name) ? name : "tool";
    }

    /** Return the name of an operation as a tool can have it. */
    private static String legal(DocumentedOperation operation) {
        String named = operation.id().isEmpty()
                ? operation.method().toLowerCase(Locale.ROOT) + operation.path()
                : operation.id();
        String legal = named.replaceAll("[^A-Za-z0-9_-]+", "_").replaceAll("^_+|(?<!_)_+$", "");
        String kept = legal.startsWith("agent-") ? "agent_" + legal.substring(6) : legal;
        return kept.isEmpty() ? "operation" : kept.substring(0, Math.min(LONGEST_NAME, kept.length()));
    }

    private static String description(OperationOptions chosen, DocumentedOperation operation) {
        String own = chosen.description;
        if (own != null && !own.isBlank()) {
            return own;
        }
        Section section = operation.section();
        String summary = section.words("summary");
        String description = section.words("description");
        String both = description.startsWith(summary) ? description : (summary + "\n\n" + description).strip();
        return both.isBlank()
                ? operation.method() + " " + operation.path()
                : OpenApiSchemas.cut(both, LONGEST_DESCRIPTION);
    }
}
