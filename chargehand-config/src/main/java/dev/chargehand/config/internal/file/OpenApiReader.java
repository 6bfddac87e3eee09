package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.key.OpenApiKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.openapi.OpenApiOperation;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.openapi.OpenApiTools.OperationOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the tools that are operations of an HTTP API. */
final class OpenApiReader {

    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://.*");

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
                                || List.of("server", "operations", "headers", "query", "idempotencyHeader")
                                        .contains(key));
    }

    /**
     * Read them all.
     *
     * @param name the agents' file as the user knows it
     * @param folder where that is
     * @param taken the names that other tools have
     */
    static Map<String, OpenApiTools> all(Section top, String name, Path folder, Collection<String> taken) {
        Section listed = top.section("tools", "'tools'");
        OpenApiReader reader = new OpenApiReader(top.mistakes(), name, folder, taken);
        reader.taken.addAll(listed.keys());
        Map<String, OpenApiTools> all = new LinkedHashMap<>();
        for (String tool : listed.keys()) {
            if (listed.isSection(tool) && isMeant(listed.section(tool, ""))) {
                OpenApiTools tools = reader.tools(tool, listed);
                tools.operations().stream().map(OpenApiOperation::name).forEach(reader.taken::add);
                all.put(tool, tools);
            }
        }
        return all;
    }

    private OpenApiTools tools(String name, Section listed) {
        String what = "tool '" + Section.shown(name) + "'";
        Section section = listed.section(name, what).allowing(OpenApiKeys.SECTION.names());
        OpenApiTools.Builder tools =
                OpenApiTools.builder(name).at("", listed.at(name)).reservedNames(taken);
        document(section, what, tools);
        SectionValues.pass(section.text("server"), server -> tools.at("server", server.at())
                .server(server.text()));
        texts("headers", section, what, tools, OpenApiTools.Builder::header);
        texts("query", section, what, tools, OpenApiTools.Builder::query);
        operations(section, tools);
        SectionValues.pass(OpenApiKeys.APPROVAL.in(section), tools::approval);
        SectionValues.pass(OpenApiKeys.REPEATABLE.in(section), tools::repeatable);
        SectionValues.pass(OpenApiKeys.POLLING.in(section), tools::polling);
        SectionValues.pass(section.text("idempotencyHeader"), header -> tools.at("idempotencyHeader", header.at())
                .idempotencyHeader(header.text()));
        SectionValues.pass(OpenApiKeys.TIMEOUT.in(section), tools::timeout);
        SectionValues.pass(OpenApiKeys.MAX_OUTPUT.in(section), tools::maxOutput);
        return tools.build(mistakes);
    }

    /** Name the document; without one, the builder finds nothing that is not known to be missing here. */
    private void document(Section section, String what, OpenApiTools.Builder tools) {
        tools.at("document", section.valueAt("openapi"));
        if (!section.has("openapi")) {
            mistakes.add(
                    section.at(),
                    what + " needs 'openapi', the OpenAPI document of an HTTP API, such as openapi: orders.yaml.");
        }
        SectionValues.pass(section.text("openapi"), named -> {
            String problem = problem(named.text());
            if (problem.isEmpty()) {
                tools.document(folder.resolve(named.text()), shown(named.text()));
            } else {
                mistakes.add(named.at(), "'openapi' of " + what + " " + problem);
            }
        });
    }

    /** Return why a text cannot be the path of a document; empty if it can. */
    private String problem(String named) {
        if (ADDRESS.matcher(named).matches()) {
            return "must be a file, and nothing is fetched. Download it, read it, and put it next to this file.";
        }
        try {
            return Files.isRegularFile(folder.resolve(named))
                    ? ""
                    : "names '" + Section.shown(named) + "', but there is no such file. Its path is relative to this"
                            + " file.";
        } catch (InvalidPathException e) {
            return "is no path of a file, but '" + Section.shown(named) + "'.";
        }
    }

    /** Return the document's name as it looks from where the agents' file is named. */
    private String shown(String named) {
        Path parent = Path.of(file).getParent();
        return parent == null ? named : parent.resolve(named).toString();
    }

    /** Sets texts by name, such as headers. */
    private interface Texts {

        OpenApiTools.Builder set(OpenApiTools.Builder tools, String name, String value);
    }

    private static void texts(String key, Section section, String what, OpenApiTools.Builder tools, Texts option) {
        tools.at(key, section.at(key));
        String its = "'" + key + "' of " + what;
        Section named = section.section(key, its);
        section.words(key, its)
                .forEach((name, value) -> option.set(
                        tools.at(key + "." + name, named.at(name)).at(key + "." + name + ".value", value.at()),
                        name,
                        value.text()));
    }

    private static void operations(Section section, OpenApiTools.Builder tools) {
        Map<Setting, Optional<Section>> named = section.named("operations");
        tools.at("operations", SectionValues.placeOfList(section, "operations"));
        named.forEach((wanted, settings) -> {
            String option = "operations." + wanted.text();
            tools.at(option, wanted.at());
            settings.ifPresent(its -> SectionValues.pass(
                    its.allowing(OpenApiKeys.Operation.SECTION.names()).text("name"),
                    given -> tools.at(option + ".name", given.at())));
            tools.addOperation(wanted.text(), operation -> settings.ifPresent(its -> options(its, operation)));
        });
    }

    private static void options(Section its, OperationOptions operation) {
        SectionValues.pass(its.text("name"), name -> operation.name(name.text()));
        operation.description(its.textOr("description", ""));
        SectionValues.pass(OpenApiKeys.Operation.APPROVAL.in(its), operation::approval);
        SectionValues.pass(OpenApiKeys.Operation.REPEATABLE.in(its), operation::repeatable);
        SectionValues.pass(OpenApiKeys.Operation.POLLING.in(its), operation::polling);
    }
}
