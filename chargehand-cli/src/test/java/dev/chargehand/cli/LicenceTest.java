package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every library carries the licence and the notice of the project. */
class LicenceTest {

    private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.chargehand.Agent",
                "dev.chargehand.bedrock.BedrockProvider",
                "dev.chargehand.cli.RootCommand",
                "dev.chargehand.command.CommandTool",
                "dev.chargehand.config.Crew",
                "dev.chargehand.document.Section",
                "dev.chargehand.jdbc.PostgresOptions",
                "dev.chargehand.langchain4j.LangChain4jProvider",
                "dev.chargehand.models.OpenAiCompatibleProvider",
                "dev.chargehand.provider.stream.SseReader",
                "dev.chargehand.search.FileSearch",
                "dev.chargehand.server.ChargehandServer",
                "dev.chargehand.testkit.TestRuntime"
            })
    void theyAreInItsJar(String type) throws Exception {
        URI library = Class.forName(type)
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();

        assertThat(inLibrary(library, "META-INF/LICENSE")).isEqualTo(Files.readString(PROJECT.resolve("LICENSE")));
        assertThat(inLibrary(library, "META-INF/NOTICE")).isEqualTo(Files.readString(PROJECT.resolve("NOTICE")));
    }

    private static String inLibrary(URI library, String name) throws IOException {
        List<URL> found = Collections.list(LicenceTest.class.getClassLoader().getResources(name)).stream()
                .filter(each -> each.toString().contains(library.getPath()))
                .toList();
        assertThat(found).as("%s of %s", name, library).hasSize(1);
        try (InputStream in = found.getFirst().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
