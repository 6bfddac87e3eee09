package dev.chargehand.provider.fault;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the explanation in the body of an error, in any form that servers use. */
public final class ErrorText {

    /** Where servers put it: OpenAI and most others, then Ollama, Mistral and AWS, FastAPI, problem documents. */
    private static final List<String> PLACES = List.of(
            "/error/message",
            "/0/error/message",
            "/error",
            "/message",
            "/Message",
            "/errors/0/message",
            "/errors/0",
            "/detail",
            "/detail/0/msg",
            "/detail/message",
            "/message/detail/0/msg",
            "/error_description",
            "/error/error/message",
            "/msg",
            "/title");

    private ErrorText() {}

    /** Return the explanation; empty if there is none. */
    public static String of(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        if (text.startsWith("<")) {
            return withoutMarkup(text);
        }
        if (!text.startsWith("{") && !text.startsWith("[")) {
            return text;
        }
        try {
            Json json = Json.parse(text);
            return PLACES.stream()
                    .map(place -> json.at(place).flatMap(Json::string))
                    .flatMap(Optional::stream)
                    .filter(found -> !found.isBlank())
                    .findFirst()
                    .orElse("");
        } catch (InvalidJsonException e) {
            return text;
        }
    }

    /** Return the text of a page: what is between its tags, but not scripts and styles. */
    private static String withoutMarkup(String page) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < page.length()) {
            int tag = page.indexOf('<', at);
            if (tag < 0) {
                text.append(page, at, page.length());
                break;
            }
            text.append(page, at, tag).append(' ');
            int end = page.indexOf('>', tag);
            if (end < 0) {
                break;
            }
            at = afterHidden(page, tag, end + 1);
        }
        return text.toString().strip();
    }

    private static int afterHidden(String page, int tag, int next) {
        for (String hidden : List.of("script", "style")) {
            if (page.regionMatches(true, tag + 1, hidden, 0, hidden.length())) {
                int close = page.toLowerCase(Locale.ROOT).indexOf("</" + hidden, next);
                return close < 0 ? page.length() : close;
            }
        }
        return next;
    }
}
