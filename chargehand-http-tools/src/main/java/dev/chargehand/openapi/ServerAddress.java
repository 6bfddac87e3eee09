package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.openapi.OpenApiDocument.DocumentedOperation;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Finds and checks the base URL of an API. */
final class ServerAddress {

    private static final String WANTED = "must be an address such as https://orders.example.com/v2";

    /** What stands for a variable in the address of a document. */
    private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");

    private ServerAddress() {}

    /** Return the first address that a document has for an operation; note a mistake if there is none. */
    static Setting of(OpenApiDocument document, DocumentedOperation operation) {
        Mistakes mistakes = document.mistakes();
        for (Section holder : List.of(operation.section(), operation.pathItem(), document.top())) {
            if (holder.has("servers") && !holder.nodes("servers").isEmpty()) {
                Section first = Section.of(
                        mistakes, "'servers'", holder.nodes("servers").getFirst());
                Setting url = first.textOf("url");
                String filled = VARIABLE.matcher(url.text())
                        .replaceAll(match -> Matcher.quoteReplacement(variable(first, match.group(1), mistakes)));
                problem(filled)
                        .ifPresent(problem -> mistakes.add(
                                url.at(),
                                "'url' of 'servers' " + problem + ", but is '" + Section.shown(filled)
                                        + "'. Or set 'server' of the tool."));
                return new Setting(filled, url.at());
            }
        }
        mistakes.add(document.top().at(), "names no 'servers'. Set 'server' of the tool.");
        return new Setting("http://localhost", document.top().at());
    }

    private static String variable(Section server, String name, Mistakes mistakes) {
        Section variables = server.section("variables", "'variables' of 'servers'");
        if (!(variables.node(name) instanceof MappingNode)) {
            mistakes.add(
                    server.at("url"),
                    "'{" + Section.shown(name) + "}' in 'url' of 'servers' is not one of its variables."
                            + NameSuggestions.allowed("There are", name, variables.keys()));
            return "";
        }
        return variables
                .section(name, "variable '" + Section.shown(name) + "' of 'servers'")
                .textOr("default", "");
    }

    /**
     * Return an address, its variables replaced, without slashes at its end.
     *
     * @throws dev.chargehand.error.ConfigurationException if a variable is not set, or requests cannot go there
     */
    static URI of(Setting server, Variables variables) {
        String address = variables.resolve(server).text();
        Optional<String> problem = problem(address);
        if (problem.isPresent()) {
            throw server.at().error("'server' " + problem.get() + ", but is '" + Section.shown(address) + "'.");
        }
        return URI.create(address.replaceAll("(?<!/)/+$", ""));
    }

    /** Return what an address must be and is not; nothing if requests can go there. */
    static Optional<String> problem(String address) {
        try {
            URI uri = new URI(address);
            boolean usable = uri.getScheme() != null
                    && uri.getScheme().matches("(?i)https?")
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            return usable ? Optional.empty() : Optional.of(WANTED + ", without a user, a query or a fragment");
        } catch (URISyntaxException e) {
            return Optional.of(WANTED);
        }
    }
}
