package dev.chargehand.openapi;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.httptools.ToolOptions;
import dev.chargehand.openapi.OpenApiTools.OperationOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of a builder, and their checks. */
final class OpenApiOptions {

    private static final int MAX_OUTPUT = 65_536;

    private static final int LONGEST_NAME = 100;

    /** Names that keys have in queries, besides those of headers. */
    private static final Pattern KEY = Pattern.compile("(.*key.*|app_?id|auth|sig)", Pattern.CASE_INSENSITIVE);

    final ToolOptions common;
    final Map<String, String> headers = new LinkedHashMap<>();
    final Map<String, String> query = new LinkedHashMap<>();
    final List<OperationOptions> operations = new ArrayList<>();

    @Nullable
    Function<Mistakes, Optional<OpenApiDocument>> document;

    @Nullable
    String server;

    @Nullable
    String idempotencyHeader;

    @Nullable
    Boolean approval;

    @Nullable
    Boolean repeatable;

    @Nullable
    Boolean polling;

    Set<String> reserved = Set.of();

    OpenApiOptions(String name) {
        this.common = new ToolOptions(name, MAX_OUTPUT, OpenApiTools.LARGEST_OUTPUT);
    }

    /** Read the document; nothing if that was not possible. */
    Optional<OpenApiDocument> document(Mistakes mistakes) {
        if (document == null) {
            mistakes.add(
                    common.place("document"),
                    common.what() + " needs 'document', the OpenAPI document of an HTTP API. Name its file.");
            return Optional.empty();
        }
        return document.apply(mistakes);
    }

    Map<String, Setting> checkedHeaders(Mistakes mistakes) {
        Map<String, Setting> checked = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            Setting setting = setting("headers", name, value);
            check(name, setting, mistakes);
            checked.put(name, setting);
        });
        return checked;
    }

    private Setting setting(String option, String name, String value) {
        String own = option + "." + name;
        return common.setting(value, own + ".value", own, option);
    }

    private String its(String option, String name) {
        return "'" + Section.shown(name) + "' in '" + option + "' of " + common.what();
    }

    private void check(String name, Setting value, Mistakes mistakes) {
        String its = its("headers", name);
        if (!HeaderNames.isName(name)) {
            mistakes.add(
                    common.place("headers." + name, "headers"),
                    its + " is no header that can be set. Allowed are names such as X-Team that the connection itself"
                            + " does not use.");
        }
        if (value.text().isBlank() || !HeaderNames.isValue(value.text())) {
            mistakes.add(value.at(), its + " must be printable ASCII on one line.");
        }
        requireVariable(HeaderNames.isSecret(name), value, its, mistakes);
    }

    private static void requireVariable(boolean isSecret, Setting value, String its, Mistakes mistakes) {
        if (isSecret && !value.text().contains("${")) {
            mistakes.add(
                    value.at(),
                    its + " must have a variable of the environment such as ${MY_TOKEN}, because a secret does not"
                            + " belong in a file or in code.");
        }
    }

    Map<String, Setting> checkedQuery(Mistakes mistakes) {
        Map<String, Setting> checked = new LinkedHashMap<>();
        query.forEach((name, value) -> {
            Setting setting = setting("query", name, value);
            String its = its("query", name);
            if (name.isBlank() || name.length() > LONGEST_NAME) {
                mistakes.add(
                        common.place("query." + name, "query"),
                        its + " must have a name of 1 to " + LONGEST_NAME + " characters.");
            }
            if (value.isBlank()) {
                mistakes.add(setting.at(), its + " must have a value.");
            }
            requireVariable(HeaderNames.isSecret(name) || KEY.matcher(name).matches(), setting, its, mistakes);
            checked.put(name, setting);
        });
        return checked;
    }

    @Nullable
    Setting checkedServer(Mistakes mistakes) {
        String url = server;
        if (url == null) {
            requireNone("headers", headers, mistakes);
            requireNone("query", query, mistakes);
            return null;
        }
        Setting setting = common.setting(url, "server");
        if (!url.contains("${")) {
            ServerAddress.problem(url)
                    .ifPresent(problem -> mistakes.add(
                            setting.at(),
                            "'server' of " + common.what() + " " + problem + ", but is '" + Section.shown(url) + "'."));
        }
        return setting;
    }

    private void requireNone(String option, Map<String, String> values, Mistakes mistakes) {
        if (!values.isEmpty()) {
            mistakes.add(
                    common.place(option),
                    common.what() + " has '" + option
                            + "' and needs 'server': the document must not decide which server" + " receives "
                            + (option.equals("query") ? "it" : "them") + ".");
        }
    }

    @Nullable
    String checkedIdempotencyHeader(Mistakes mistakes) {
        String name = idempotencyHeader;
        if (name != null
                && (!HeaderNames.isName(name) || headers.keySet().stream().anyMatch(name::equalsIgnoreCase))) {
            mistakes.add(
                    common.place("idempotencyHeader"),
                    "'idempotencyHeader' of " + common.what()
                            + " must be the name of a header that is not set otherwise, such as Idempotency-Key.");
        }
        return name;
    }
}
