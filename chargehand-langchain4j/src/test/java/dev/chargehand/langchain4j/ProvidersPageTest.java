package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.testkit.model.Capability;
import dev.chargehand.testkit.model.ModelWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about providers says what is so. */
class ProvidersPageTest {

    private static final Map<String, Capability> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put("reasoning is shown", Capability.REASONING);
        ROWS.put("the signatures of reasoning are stored and sent back", Capability.SIGNATURES);
        ROWS.put("arguments of a call arrive in pieces", Capability.PARTIAL_ARGUMENTS);
        ROWS.put("calls have ids of the provider", Capability.CALL_IDS);
        ROWS.put("cached tokens in the usage", Capability.CACHED_TOKENS);
        ROWS.put("reasoning tokens in the usage", Capability.REASONING_TOKENS);
        ROWS.put("pictures as `data:` URLs", Capability.IMAGES);
        ROWS.put("pictures by URL", Capability.IMAGE_URLS);
        ROWS.put("a schema for the answer in the provider's own format", Capability.RESPONSE_FORMAT);
        ROWS.put("a tool can be required", Capability.TOOL_CHOICE);
        ROWS.put("`seed`", Capability.SEED);
        ROWS.put("a withheld answer is reported as withheld", Capability.CONTENT_FILTER);
        ROWS.put("errors state their kind", Capability.ERROR_KINDS);
    }

    private static final List<ModelWire> COLUMNS = List.of(
            ModelWire.chatCompletions(),
            ModelWire.mistral(),
            ModelWire.anthropic(),
            ModelWire.gemini(),
            ModelWire.ollama(),
            ModelWire.bedrock());

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "providers.md"));
    }

    @Test
    void theTableIsWhatTheContractProves() throws IOException {
        List<String> lines = page().lines().toList();
        assertThat(EnumSet.copyOf(ROWS.values())).isEqualTo(EnumSet.allOf(Capability.class));
        ROWS.forEach((row, capability) -> assertThat(lines)
                .contains("| " + row + " | "
                        + String.join(
                                " | ",
                                COLUMNS.stream()
                                        .map(wire -> wire.can().contains(capability) ? "yes" : "-")
                                        .toList())
                        + " |"));
    }

    @Test
    void everyProviderAndItsKeyIsNamed() throws IOException {
        String page = page();
        try (LangChain4jProvider own = new LangChain4jProvider();
                OpenAiCompatibleProvider compatible = new OpenAiCompatibleProvider()) {
            assertThat(Stream.of(own.names(), compatible.names()).flatMap(Set::stream))
                    .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
            assertThat(own.names().stream().flatMap(name -> own.keyVariable(name).stream()))
                    .allSatisfy(key -> assertThat(page).contains("`" + key + "`"));
        }
    }
}
