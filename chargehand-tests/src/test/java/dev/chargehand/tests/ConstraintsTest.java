package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Description;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.tool.AgentTool;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.Tools;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Constraints of Jakarta Validation on components and parameters are in the schema, and calls that break them are rejected. */
class ConstraintsTest extends ToolsFixture {

    /** Every kind of constraint that a schema can have. */
    public record Order(
            @Min(1) @Max(99) int count,
            @Positive @DecimalMax("0.5") double discount,
            @Size(min = 2, max = 5) String code,
            @Pattern(regexp = "[a-z]+") String tag,

            @Pattern(regexp = "[a-z]+", flags = Pattern.Flag.CASE_INSENSITIVE)
            String word,

            @Email String address,
            @NotBlank String reason,
            @NotEmpty @Size(max = 2) List<@Size(max = 3) String> lines,
            @Size(max = 1) Map<String, String> labels,
            @Description("Optional") @Nullable @Min(5) Integer gift) {}

    static final class Shop {
        @AgentTool(description = "Orders.")
        String order(
                @Description("How many") @Min(1) @Max(99) int count,
                Optional<@Size(max = 5) String> code,
                List<@Pattern(regexp = "[a-z]+") String> tags) {
            return "ordered " + count;
        }
    }

    private static final String VALID = """
            {"count":1,"discount":0.5,"code":"ab","tag":"ab","word":"AB","address":"a@b","reason":"r","lines":["abc"],
             "labels":{}}""";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /count/minimum           | 1
            /count/maximum           | 99
            /discount/exclusiveMinimum | 0
            /discount/maximum        | 0.5
            /code/minLength          | 2
            /code/maxLength          | 5
            /tag/pattern             | "^(?:[a-z]+)$"
            /address/format          | "email"
            /reason/minLength        | 1
            /lines/minItems          | 1
            /lines/maxItems          | 2
            /lines/items/maxLength   | 3
            /labels/maxProperties    | 1
            /gift/minimum            | 5
            """)
    void aConstraintIsInTheSchema(String place, String value) {
        assertThat(JsonSchema.of(Order.class).json().at("/properties" + place)).contains(Json.parse(value));
    }

    @Test
    void aPatternWithFlagsIsNotInTheSchema() {
        assertThat(JsonSchema.of(Order.class).json().at("/properties/word/pattern"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "count":1        | "count":0          | /count
            "count":1        | "count":100        | /count
            "discount":0.5   | "discount":0       | /discount
            "discount":0.5   | "discount":0.6     | /discount
            "code":"ab"      | "code":"a"         | /code
            "code":"ab"      | "code":"abcdef"    | /code
            "tag":"ab"       | "tag":"A1b"        | /tag
            "address":"a@b"  | "address":"ab"     | /address
            "reason":"r"     | "reason":"  "      | /reason
            "lines":["abc"]  | "lines":[]         | /lines
            "lines":["abc"]  | "lines":["abcd"]   | /lines/0
            "labels":{}      | "labels":{},"gift":4 | /gift
            """)
    void aCallThatBreaksAConstraintIsRejected(String right, String wrong, String place) {
        Tool tool = Tool.of("order", "Orders.", Order.class, (in, context) -> "ordered " + in.count());
        assertThat(shown(tool, VALID)).contains("ordered 1");
        assertThat(shown(tool, VALID.replace(right, wrong))).contains(place).doesNotContain("ordered");
    }

    @Test
    void aConstraintOnAParameterIsInTheSchema() {
        Json schema = Tools.of(new Shop()).getFirst().input().json();
        assertThat(schema.at("/properties/count").orElseThrow().canonical())
                .isEqualTo(
                        Json.parse("{\"description\":\"How many\",\"maximum\":99,\"minimum\":1,\"type\":\"integer\"}"));
        assertThat(schema.at("/properties/code/maxLength")).contains(Json.parse("5"));
        assertThat(schema.at("/properties/tags/items/pattern")).contains(Json.parse("\"^(?:[a-z]+)$\""));
        assertThat(schema.at("/required")).contains(Json.parse("[\"count\",\"tags\"]"));
    }

    @Test
    void aCallThatBreaksAConstraintOfAParameterIsRejected() {
        Tool tool = Tools.of(new Shop()).getFirst();
        assertThat(shown(tool, "{\"count\":99,\"tags\":[]}")).contains("ordered 99");
        assertThat(shown(tool, "{\"count\":100,\"tags\":[]}"))
                .contains("/count")
                .doesNotContain("ordered");
        assertThat(shown(tool, "{\"count\":9,\"tags\":[\"A\"]}")).contains("/tags/0");
        assertThat(shown(tool, "{\"count\":9,\"tags\":[],\"code\":\"abcdef\"}")).contains("/code");
    }

    @ParameterizedTest
    @CsvSource({"jsonschema-module-jakarta-validation", "jakarta.validation-api"})
    void withoutTheLibrariesSchemasHaveNoConstraints(String missing) throws Exception {
        try (URLClassLoader loader = classPathWithout(missing)) {
            Object schema = loader.loadClass(JsonSchema.class.getName())
                    .getMethod("of", Class.class)
                    .invoke(null, loader.loadClass(Order.class.getName()));
            Json json = Json.parse(schema.toString());
            assertThat(json.at("/properties/count")).contains(Json.parse("{\"type\":\"integer\"}"));
            assertThat(json.at("/properties/gift/description")).contains(Json.parse("\"Optional\""));
        }
    }

    private static URLClassLoader classPathWithout(String library) throws IOException {
        List<String> entries =
                Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        List<String> kept = entries.stream()
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(library))
                .toList();
        assertThat(kept).hasSizeLessThan(entries.size());
        URL[] urls = new URL[kept.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(kept.get(i)).toUri().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }
}
