package dev.chargehand.config;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.ValueKind;
import dev.chargehand.openapi.HeaderNames;
import dev.chargehand.openapi.HttpApi;
import dev.chargehand.openapi.OpenApiDocument;
import dev.chargehand.openapi.OpenApiSchemas;
import dev.chargehand.openapi.Operation;
import dev.chargehand.openapi.OperationReader;
import dev.chargehand.openapi.ServerAddress;
import dev.chargehand.openapi.ToolNames;
import dev.chargehand.tool.Tool;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads the tools that are operations of an HTTP API. */
final class OpenApiReader {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_OUTPUT = 65_536;
    private static final int MOST_OUTPUT = 16 << 20;
    private static final int LONGEST_DESCRIPTION = 1_000;
    private static final Set<String> SAFE = Set.of("GET", "HEAD");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://.*");
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

    private final Mistakes mistakes;
    private final String file;
    private final Path folder;
    private final Set<String> taken;

    private OpenApiReader(Mistakes mistakes, String file, Path folder, Collection<String> taken) {
        this.mistakes = mistakes;
        this.file = file;
        this.folder = folder;
        this.taken = new LinkedHashSet<>(taken);
    }

    /** Return whether a tool is meant to be one of these. */
    static boolean isMeant(Section tool) {
        if (tool.has("openapi") || tool.has("command")) {
            return tool.has("openapi");
        }
        return tool.keys().stream()
                .anyMatch(
                        key -> NameSuggestions.nearest(key, List.of("openapi")).isPresent()
                                || List.of("server", "operations", "headers", "idempotencyHeader")
                                        .contains(key));
    }

    /**
     * Read them all.
     *
     * @param name the agents' file as the user knows it
     * @param folder where that is
     * @param taken the names that other tools have
     */
    static Map<String, HttpApi> all(Section top, String name, Path folder, Collection<String> taken) {
        Section listed = top.section("tools", "'tools'");
        OpenApiReader reader = new OpenApiReader(top.mistakes(), name, folder, taken);
        reader.taken.addAll(listed.keys());
        Map<String, HttpApi> entries = new LinkedHashMap<>();
        for (String tool : listed.keys()) {
            if (listed.isSection(tool) && isMeant(listed.section(tool, ""))) {
                entries.put(tool, reader.entry(tool, listed));
            }
        }
        return entries;
    }

    private HttpApi entry(String name, Section listed) {
        Position at = listed.at(name);
        String what = "tool '" + Section.shown(name) + "'";
        ToolNames.require(name, what, at, mistakes);
        Section section = listed.section(name, what).allowing(Keys.OPENAPI);
        if (!section.has("openapi")) {
            mistakes.add(
                    at, what + " needs 'openapi', the OpenAPI document of an HTTP API, such as openapi: orders.yaml.");
        }
        Map<String, Setting> headers = headers(section, what);
        Setting server = server(section, what, headers);
        Duration timeout = section.value("timeout", ValueKind.TIME);
        Integer maxOutput = section.value("maxOutput", ValueKind.range(1, MOST_OUTPUT));
        return new HttpApi(
                name,
                at,
                headers,
                idempotencyHeader(section, what, headers),
                timeout == null ? TIMEOUT : timeout,
                maxOutput == null ? MAX_OUTPUT : maxOutput,
                document(section, what)
                        .map(document -> operations(section, what, document, server, headers))
                        .orElse(List.of()));
    }

    private Optional<OpenApiDocument> document(Section section, String what) {
        Setting named = section.text("openapi");
        if (named == null) {
            return Optional.empty();
        }
        String said = "'openapi' of " + what;
        if (ADDRESS.matcher(named.text()).matches()) {
            mistakes.add(
                    named.at(),
                    said
                            + " must be a file, and nothing is fetched. Download it, read it, and put it beside this file.");
            return Optional.empty();
        }
        try {
            Path path = folder.resolve(named.text());
            if (!Files.isRegularFile(path)) {
                mistakes.add(
                        named.at(),
                        said + " names '" + Section.shown(named.text()) + "', but there is no such file. Its path is"
                                + " relative to this file.");
                return Optional.empty();
            }
            return OpenApiDocument.read(path, shown(named.text()), mistakes);
        } catch (InvalidPathException e) {
            mistakes.add(named.at(), said + " is no path of a file, but '" + Section.shown(named.text()) + "'.");
            return Optional.empty();
        }
    }

    /** Return the document's name as it looks from where the agents' file is named. */
    private String shown(String named) {
        Path parent = Path.of(file).getParent();
        return parent == null ? named : parent.resolve(named).toString();
    }

    private Map<String, Setting> headers(Section section, String what) {
        Map<String, Setting> headers = section.words("headers", "'headers' of " + what);
        headers.forEach((name, value) -> {
            if (!HeaderNames.isName(name)) {
                mistakes.add(
                        section.section("headers", "").at(name),
                        "'" + Section.shown(name) + "' in 'headers' of " + what
                                + " is no header that can be set. Allowed are names such as X-Team that the connection itself"
                                + " does not use.");
            }
            if (!value.text().isEmpty() && !HeaderNames.isValue(value.text())) {
                mistakes.add(
                        value.at(), "'" + name + "' in 'headers' of " + what + " must be printable ASCII on one line.");
            }
            if (HeaderNames.isSecret(name) && !value.text().contains("${")) {
                mistakes.add(
                        value.at(),
                        "'" + name + "' in 'headers' of " + what
                                + " must have a variable of the environment such as ${MY_TOKEN}, because a secret does not"
                                + " belong into a file.");
            }
        });
        return headers;
    }

    private @Nullable Setting server(Section section, String what, Map<String, Setting> headers) {
        Setting server = section.text("server");
        if (server == null) {
            if (!headers.isEmpty()) {
                mistakes.add(
                        section.at("headers"),
                        what + " has 'headers' and needs 'server': the document must not decide who is sent them.");
            }
            return null;
        }
        if (!server.text().contains("${")) {
            ServerAddress.problem(server.text())
                    .ifPresent(problem -> mistakes.add(
                            server.at(),
                            "'server' of " + what + " " + problem + ", but is '" + Section.shown(server.text())
                                    + "'."));
        }
        return server;
    }

    private @Nullable String idempotencyHeader(Section section, String what, Map<String, Setting> headers) {
        Setting header = section.text("idempotencyHeader");
        if (header == null) {
            return null;
        }
        if (!HeaderNames.isName(header.text()) || headers.keySet().stream().anyMatch(header.text()::equalsIgnoreCase)) {
            mistakes.add(
                    header.at(),
                    "'idempotencyHeader' of " + what
                            + " must be the name of a header that is not set otherwise, such as Idempotency-Key.");
        }
        return header.text();
    }

    private List<Operation> operations(
            Section section,
            String what,
            OpenApiDocument document,
            @Nullable Setting server,
            Map<String, Setting> headers) {
        List<String> there = document.operations().stream()
                .map(OpenApiDocument.DocumentedOperation::title)
                .toList();
        if (!section.has("operations")) {
            mistakes.add(
                    section.at(),
                    what + " needs 'operations', those that agents may call."
                            + NameSuggestions.few("There are", "", there));
            return List.of();
        }
        Map<Setting, Optional<Section>> named = section.named("operations");
        if (named.isEmpty() && section.isList("operations")) {
            mistakes.add(
                    section.at("operations"),
                    "'operations' of " + what + " is empty." + NameSuggestions.few("There are", "", there));
        }
        List<Operation> entries = new ArrayList<>();
        named.forEach((wanted, settings) -> {
            List<OpenApiDocument.DocumentedOperation> found = document.operations().stream()
                    .filter(operation -> operation.is(wanted.text()))
                    .toList();
            if (found.isEmpty()) {
                mistakes.add(
                        wanted.at(),
                        "unknown operation '" + Section.shown(wanted.text()) + "' of " + what + " in " + document.name()
                                + "." + NameSuggestions.few("There are", wanted.text(), there));
                return;
            }
            if (found.size() > 1) {
                document.mistakes()
                        .add(
                                found.get(1).section().at("operationId"),
                                "the operationId '" + Section.shown(wanted.text())
                                        + "' stands twice in the document. Change one of them.");
                return;
            }
            entries.add(operation(
                    section,
                    wanted,
                    settings.map(its -> its.allowing(Keys.OPERATION)).orElse(null),
                    document,
                    found.getFirst(),
                    server,
                    headers.keySet()));
        });
        return entries;
    }

    private Operation operation(
            Section section,
            Setting wanted,
            @Nullable Section settings,
            OpenApiDocument document,
            OpenApiDocument.DocumentedOperation operation,
            @Nullable Setting server,
            Collection<String> headers) {
        if (operation.method().equals("TRACE")) {
            mistakes.add(
                    wanted.at(), "operation '" + Section.shown(wanted.text()) + "' is a TRACE, which no tool sends.");
        }
        OperationReader.Filled filled = new OperationReader(document, operation, headers).read();
        boolean safe = SAFE.contains(operation.method());
        return new Operation(
                name(wanted, settings, operation),
                wanted.at(),
                operation.method(),
                server == null ? server(document, operation) : server,
                operation.path(),
                description(settings, operation),
                filled.parameters(),
                filled.body(),
                filled.input(),
                flag("approval", settings, section, !safe),
                flag("repeatable", settings, section, safe),
                flag("polling", settings, section, false));
    }

    private static boolean flag(String key, @Nullable Section settings, Section section, boolean byDefault) {
        Boolean own = settings == null ? null : settings.flag(key);
        Boolean all = section.flag(key);
        return own != null ? own : all != null ? all : byDefault;
    }

    private String name(Setting wanted, @Nullable Section settings, OpenApiDocument.DocumentedOperation operation) {
        Setting given = settings == null ? null : settings.text("name");
        String what = "operation '" + Section.shown(wanted.text()) + "'";
        String name = given == null ? ToolNames.legal(operation) : given.text();
        Position at = given == null ? wanted.at() : given.at();
        if (given != null) {
            ToolNames.require(name, what, at, mistakes);
        }
        if (!taken.add(name)) {
            mistakes.add(
                    at,
                    what + " becomes the tool '" + Section.shown(name)
                            + "', which is there already. Give it another name: { " + Section.shown(wanted.text())
                            + ": { name: … } }.");
        }
        return Tool.isValidName(name) ? name : "tool";
    }

    private static String description(@Nullable Section settings, OpenApiDocument.DocumentedOperation operation) {
        String own = settings == null ? "" : settings.textOr("description", "");
        if (!own.isEmpty()) {
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

    private static Setting server(OpenApiDocument document, OpenApiDocument.DocumentedOperation operation) {
        for (Section holder : List.of(operation.section(), operation.pathItem(), document.top())) {
            if (holder.has("servers") && !holder.nodes("servers").isEmpty()) {
                Section first = Section.of(
                        document.mistakes(),
                        "'servers'",
                        holder.nodes("servers").getFirst());
                Setting url = first.textOf("url");
                String filled = VARIABLE.matcher(url.text())
                        .replaceAll(match ->
                                Matcher.quoteReplacement(variable(first, match.group(1), document.mistakes())));
                ServerAddress.problem(filled).ifPresent(problem -> document.mistakes()
                        .add(
                                url.at(),
                                "'url' of 'servers' " + problem + ", but is '" + Section.shown(filled)
                                        + "'. Or give 'server' in the agents' file."));
                return new Setting(filled, url.at());
            }
        }
        document.mistakes().add(document.top().at(), "names no 'servers'. Give 'server' in the agents' file.");
        return new Setting("http://localhost", document.top().at());
    }

    private static String variable(Section server, String name, Mistakes mistakes) {
        Section variables = server.section("variables", "'variables' of 'servers'");
        if (!(variables.node(name) instanceof MappingNode)) {
            mistakes.add(
                    server.at("url"),
                    "'{" + Section.shown(name) + "}' in 'url' of 'servers' is none of its variables."
                            + NameSuggestions.allowed("There are", name, variables.keys()));
            return "";
        }
        return variables
                .section(name, "variable '" + Section.shown(name) + "' of 'servers'")
                .textOr("default", "");
    }
}
