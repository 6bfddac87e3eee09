package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Body;
import java.util.List;
import java.util.function.Predicate;

/** Parameters that have no effect. A value of another type is a mistake of the client here too, and is rejected. */
final class Ignored {

    private static final List<String> NUMBERS =
            List.of("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed");

    private static final List<String> TEXTS = List.of(
            "reasoning_effort",
            "verbosity",
            "truncation",
            "service_tier",
            "prompt_cache_key",
            "prompt_cache_retention",
            "safety_identifier",
            "user");

    private Ignored() {}

    /** Return the names of all, for clients. */
    static List<String> names() {
        return List.of(
                "temperature",
                "top_p",
                "presence_penalty",
                "frequency_penalty",
                "seed",
                "stop",
                "logit_bias",
                "reasoning_effort",
                "reasoning",
                "verbosity",
                "parallel_tool_calls",
                "truncation",
                "service_tier",
                "prompt_cache_key",
                "prompt_cache_retention",
                "safety_identifier",
                "user");
    }

    /** Reject values of other types. */
    static void requireTypes(Body body) {
        NUMBERS.forEach(name -> require(body, name, Ignored::isNumber, "must be a number"));
        TEXTS.forEach(name -> require(body, name, Ignored::isText, "must be a text"));
        require(body, "logit_bias", Json::isObject, "must be a JSON object");
        body.object("reasoning").ifPresent(reasoning -> List.of("effort", "summary", "generate_summary")
                .forEach(name -> require(reasoning, name, Ignored::isText, "must be a text")));
        body.object("text").ifPresent(text -> require(text, "verbosity", Ignored::isText, "must be a text"));
        var unused = body.flag("parallel_tool_calls");
        unused = body.object("stream_options")
                .map(options -> options.flag("include_obfuscation"))
                .orElse(false);
        if (body.json("stop").filter(value -> !isText(value)).isPresent()) {
            unused = body.texts("stop").isEmpty();
        }
    }

    private static void require(Body body, String name, Predicate<Json> type, String rule) {
        body.json(name).filter(type.negate()).ifPresent(value -> {
            throw body.problem(name, rule);
        });
    }

    private static boolean isText(Json value) {
        return value.string().isPresent();
    }

    private static boolean isNumber(Json value) {
        char first = value.canonical().text().charAt(0);
        return first == '-' || Character.isDigit(first);
    }
}
