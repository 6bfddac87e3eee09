package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Currency;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a type of the JDK is written as fits the schema of the type, and is read again. */
class TypesOfTheJdkTest {

    record Search(
            String text, OptionalInt pages, OptionalLong bytes, OptionalDouble score, Optional<Currency> currency) {}

    @SuppressWarnings("ArrayRecordComponent") // as applications have them
    record Invoice(Currency currency, YearMonth month, List<Locale> languages, byte[] scan) {}

    enum Colour {
        RED,
        BLUE
    }

    record Palette(Iterable<Colour> colours, EnumSet<Colour> others, Iterable<?> more) {}

    @Test
    void anIterableIsAList() {
        Json palette = Json.parse("{\"colours\":[\"RED\"],\"others\":[\"BLUE\"],\"more\":[1,\"two\"]}");

        assertThat(JsonSchema.of(Palette.class).violations(palette)).isEmpty();
        assertThat(palette.as(Palette.class).colours()).containsExactly(Colour.RED);
        assertThat(palette.as(Palette.class).others()).containsExactly(Colour.BLUE);
        assertThat(JsonSchema.of(Palette.class)
                        .violations(Json.parse("{\"colours\":[\"GREEN\"],\"others\":[],\"more\":[]}")))
                .hasSize(1);
    }

    static Stream<Object> values() {
        return Stream.of(
                OptionalInt.of(3),
                OptionalLong.of(3),
                OptionalDouble.of(1.5),
                Currency.getInstance("NOK"),
                Locale.GERMANY,
                Year.of(2026),
                YearMonth.of(2026, 2),
                MonthDay.of(2, 28),
                ZoneOffset.UTC,
                new File("orders.csv").getAbsoluteFile(),
                URI.create("https://example.com"),
                StandardCharsets.UTF_8,
                (byte) 3,
                String.class);
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueFitsItsSchemaAndIsReadAgain(Object value) {
        Class<?> type = value instanceof Charset ? Charset.class : value.getClass();

        Json json = Json.of(value);

        assertThat(JsonSchema.of(type).violations(json)).isEmpty();
        assertThat((Object) json.as(type)).isEqualTo(value);
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // it is what is tested
    void soDoValuesThatAreNotCompared() throws Exception {
        Map<Class<?>, Object> values = Map.of(
                byte[].class,
                new byte[] {1, 2},
                char[].class,
                new char[] {'a', 'b'},
                TimeZone.class,
                TimeZone.getTimeZone("UTC"),
                Path.class,
                Path.of("orders.csv"),
                java.net.URL.class,
                URI.create("https://example.com").toURL(),
                Pattern.class,
                Pattern.compile("a+"),
                StringBuilder.class,
                new StringBuilder("text"),
                AtomicInteger.class,
                new AtomicInteger(3),
                AtomicLong.class,
                new AtomicLong(3),
                AtomicBoolean.class,
                new AtomicBoolean(true));

        values.forEach((type, value) -> {
            Json json = Json.of(value);
            assertThat(JsonSchema.of(type).violations(json)).as("%s", type).isEmpty();
            assertThat((Object) json.as(type)).as("%s", type).isInstanceOf(type);
        });
    }

    @Test
    void anOptionalNumberMayBeMissingOrNull() {
        JsonSchema schema = JsonSchema.of(Search.class);
        Json full = Json.parse("{\"text\":\"a\",\"pages\":3,\"bytes\":4,\"score\":1.5,\"currency\":\"NOK\"}");
        Json empty = Json.parse("{\"text\":\"a\",\"pages\":null}");

        assertThat(schema.json().at("/required").orElseThrow().text()).isEqualTo("[\"text\"]");
        assertThat(schema.violations(full)).isEmpty();
        assertThat(full.as(Search.class).pages()).hasValue(3);
        assertThat(full.as(Search.class).currency()).contains(Currency.getInstance("NOK"));
        assertThat(schema.violations(empty)).isEmpty();
        assertThat(empty.as(Search.class).pages()).isEmpty();
        assertThat(empty.as(Search.class).score()).isEmpty();
    }

    @Test
    void aRecordMayHaveThem() {
        Json json = Json.of(new Invoice(
                Currency.getInstance("NOK"), YearMonth.of(2026, 2), List.of(Locale.GERMANY), new byte[] {1}));

        assertThat(JsonSchema.of(Invoice.class).violations(json)).isEmpty();
        assertThat(json.as(Invoice.class).languages()).containsExactly(Locale.GERMANY);
        assertThat(JsonSchema.of(Invoice.class)
                        .violations(Json.parse("{\"currency\":{},\"month\":1,\"languages\":[],\"scan\":\"\"}")))
                .hasSize(2);
    }
}
