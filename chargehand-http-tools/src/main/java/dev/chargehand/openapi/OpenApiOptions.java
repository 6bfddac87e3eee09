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
import org.jspecify.annotations.Nullable;

/** The options of a builder, and their checks. */
final class OpenApiOptions {

    private static final int MAX_OUTPUT = 65_536;

    final ToolOptions common;
    final Map<String, String> headers = new LinkedHashMap<>();
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
            String option = "headers." + name;
            Setting setting = common.setting(value, option + ".value", option, "headers");
            check(name, setting, mistakes);
            checked.put(name, setting);
        });
        return checked;
    }

    private void check(String name, Setting value, Mistakes mistakes) {
        String its = "'" + Section.shown(name) + "' in 'headers' of " + common.what();
        if (!HeaderNames.isName(name)) {
            mistakes.add(
                    common.place("headers." + name, "headers"),
                    its + " is no header that can be set. Allowed are names such as X-Team that the connection itself"
                            + " does not use.");
        }
        if (value.text().isBlank() || !HeaderNames.isValue(value.text())) {
            mistakes.add(value.at(), its + " must be printable ASCII on one line.");
        }
        if (HeaderNames.isSecret(name) && !value.text().contains("${")) {
            mistakes.add(
                    value.at(),
                    its + " must have a variable of the environment such as ${MY_TOKEN}, because a secret does not"
                            + " belong in a file or in code.");
        }
    }

    @Nullable
    Setting checkedServer(Mistakes mistakes) {
        String url = server;
        if (url == null) {
            if (!headers.isEmpty()) {
                mistakes.add(
                        common.place("headers"),
                        common.what() + " has 'headers' and needs 'server': the document must not decide which server"
                                + " receives them.");
            }
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
