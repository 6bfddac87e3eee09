package dev.chargehand.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.cli.Commands;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.Crew;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.FileReader;
import dev.chargehand.config.internal.key.KeyTable;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.openapi.OpenApiOperation;
import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.Prices;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.TimeLimits;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The JSON Schema and the reader say the same of a file, as far as a schema can say it. */
class SchemaTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
    private static final Json SCHEMA = schema();

    @TempDir
    Path folder;

    private static Json schema() {
        try {
            return Json.parse(Files.readString(PROJECT.resolve("docs/chargehand.schema.json")));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Json json(String yaml) {
        return Json.of(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    }

    private static List<String> violations(String yaml) {
        return JsonSchema.of(SCHEMA).violations(json(yaml));
    }

    private static String complete() throws IOException {
        return Files.readString(Path.of("src/test/resources/dev/chargehand/cli/config/complete.yaml"));
    }

    private AgentsFile read(String text) throws IOException {
        return read(text, MistakenFile.orders());
    }

    private AgentsFile read(String text, String orders) throws IOException {
        Files.writeString(folder.resolve("crew.yaml"), text);
        Files.writeString(folder.resolve("orders.yaml"), orders);
        return AgentsFileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of("search-files"));
    }

    static Stream<MistakenFile> mistakes() {
        return MistakenFile.all().stream();
    }

    @Test
    void itIsTheOneThatTheCommandPrints() throws IOException {
        assertThat(Commands.in(folder, "schema").out())
                .isEqualTo(Files.readString(PROJECT.resolve("docs/chargehand.schema.json")));
    }

    @Test
    void aFileWithEveryKeyIsTakenByBoth() throws IOException {
        AgentsFile file = read(complete());

        assertThat(violations(complete())).isEmpty();
        Set<String> keys = new TreeSet<>();
        collect(json(complete()), keys);
        assertThat(keys)
                .containsAll(KeyTable.sections().stream()
                        .flatMap(section -> section.names().stream())
                        .toList());
        assertThat(file.models()).hasSize(2);
        assertThat(file.commands()
                        .get("count")
                        .tool()
                        .input()
                        .json()
                        .at("/properties")
                        .orElseThrow()
                        .fields())
                .containsOnlyKeys("file", "what");
        assertThat(file.apis().get("orders").operations())
                .extracting(OpenApiOperation::name)
                .containsExactly("getOrder", "place-order");
        assertThat(file.agents().get("finder").tools())
                .extracting(Setting::text)
                .containsExactly("search-files", "count", "getOrder", "place-order");
        FileDefinition definition = FileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of("search-files"));
        Map<String, Object> options = RunOptions.defaults()
                .with(definition.options()::set)
                .with(definition.agents().get("boss").options()::set)
                .changed();
        assertThat(((Limits) options.get("limit")).changed())
                .hasSize(Limit.values().length)
                .containsEntry(Limit.DEPTH, 4L);
        assertThat(((TimeLimits) options.get("timeLimit")).changed())
                .hasSize(TimeLimit.values().length)
                .containsEntry(TimeLimit.RUN, Duration.ofHours(1));
        Prices prices = (Prices) options.get("prices");
        assertThat(prices.byModel()).hasSize(2);
        assertThat(prices.byModel().get("openai/gpt-5.1").cachedInput()).isEqualTo("1.25");
        assertThat(options)
                .containsEntry("budget", new Budget(100_000L, new BigDecimal("0.50"), Duration.ofMinutes(10), 40))
                .containsEntry("approvalExpiry", Duration.ofHours(2))
                .containsEntry("selfApproval", false)
                .containsEntry("maxSteps", 7)
                .containsEntry("retries", 1)
                .containsEntry("toolCallConcurrency", 2);
        ModelSettings answers = (ModelSettings) options.get("modelSettings");
        assertThat(answers.stopSequences()).containsExactly("END", "STOP");
        assertThat(answers.seed()).isEqualTo(-7);
    }

    private static void collect(Json json, Set<String> keys) {
        if (json.isObject()) {
            json.fields().forEach((key, value) -> {
                keys.add(key);
                collect(value, keys);
            });
        } else if (json.at("/0").isPresent()) {
            for (int i = 0; json.at("/" + i).isPresent(); i++) {
                Json item = json.at("/" + i).orElseThrow();
                item.string().ifPresent(keys::add);
                collect(item, keys);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void itSeesTheMistakesThatASchemaCanSee(MistakenFile file) {
        boolean refused;
        try {
            refused = !violations(file.text()).isEmpty();
        } catch (YamlEngineException e) {
            refused = true; // no YAML, which an editor sees too
        }
        assertThat(refused).isEqualTo(file.schema());
    }

    @Test
    void theProjectsOwnFilesAreRight() throws IOException {
        assertThat(violations(Files.readString(PROJECT.resolve("chargehand.yaml"))))
                .isEmpty();
        for (String example : List.of("memory", "workflows", "background")) {
            Path file = PROJECT.resolve("examples").resolve(example).resolve("chargehand.yaml");
            assertThat(violations(Files.readString(file))).as(example).isEmpty();
            assertThat(AgentsFileReader.read(file, example, Crew.TOOLS).agents())
                    .isNotEmpty();
        }
        for (String page : List.of("cli.md", "chargehand-yaml.md", "workflows.md", "background.md")) {
            List<String> samples = samples(page, "\nagents:");
            String orders = samples(page, "openapi: 3").stream().findFirst().orElse("");
            assertThat(samples).as(page).isNotEmpty();
            for (String sample : samples) {
                assertThat(violations(sample)).as(sample).isEmpty();
                read(sample, orders);
            }
        }
    }

    /** Returns the samples of a page that have something in them that only whole files have. */
    private static List<String> samples(String page, String mark) throws IOException {
        return Stream.of(Files.readString(PROJECT.resolve("docs").resolve(page)).split("(?m)^```"))
                .filter(block -> block.startsWith("yaml\n") && block.contains(mark))
                .map(block -> block.substring("yaml\n".length()))
                .toList();
    }
}
