package dev.chargehand.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.config.AgentsFileSchema;
import dev.chargehand.json.Json;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.ServerAnswers;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.ServerWire;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The keys of a file's server are those that the server has, with the same defaults. */
class ServerKeysTest {

    private static final Json SCHEMA = Json.parse(AgentsFileSchema.text());

    private static Map<String, String> defaults(String section) {
        return SCHEMA.at("/$defs/" + section + "/properties").orElseThrow().fields().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, key -> {
                    Json value = key.getValue().at("/default").orElseThrow();
                    return value.string().orElse(value.text());
                }));
    }

    private static <T> Map<String, String> of(T[] values, Function<T, String> key, Function<T, String> byDefault) {
        return Stream.of(values).collect(Collectors.toMap(key, byDefault));
    }

    private static List<String> words(String pointer) {
        return Stream.of(SCHEMA.at(pointer).orElseThrow().as(String[].class)).toList();
    }

    private static List<String> names(Enum<?>... values) {
        return Stream.of(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String written(Duration time) {
        return time.toMinutesPart() == 0 && time.toHours() == 0 ? time.toSeconds() + "s" : time.toMinutes() + "m";
    }

    @Test
    void limitsAreThoseOfTheServer() {
        assertThat(defaults("serverLimits"))
                .isEqualTo(of(ServerLimit.values(), ServerLimit::key, limit -> String.valueOf(limit.byDefault())));
        assertThat(defaults("serverTimeLimits"))
                .isEqualTo(of(ServerTimeLimit.values(), ServerTimeLimit::key, limit -> written(limit.byDefault())));
    }

    @Test
    void wordsAreThoseOfTheServer() {
        String server = "/$defs/server/properties/";
        List<String> wires =
                Stream.of(ServerWire.values()).map(ServerOfFile::key).toList();
        assertThat(words(server + "wires/items/enum")).containsExactlyInAnyOrderElementsOf(wires);
        assertThat(words(server + "resumable/items/enum")).containsExactlyInAnyOrderElementsOf(wires);
        assertThat(words(server + "answers/enum")).containsExactlyInAnyOrderElementsOf(names(ServerAnswers.values()));
        assertThat(words(server + "binding/enum")).containsExactlyInAnyOrderElementsOf(names(HttpBinding.values()));
    }
}
