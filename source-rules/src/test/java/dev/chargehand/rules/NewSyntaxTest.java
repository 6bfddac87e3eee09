package dev.chargehand.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The formatter reads all sources also where Maven runs on JDK 17. */
class NewSyntaxTest {

    @TempDir
    Path folder;

    @Test
    void noSourceHasSyntaxThatTheFormatterCannotReadOnJdk17() throws IOException {
        assertThat(NewSyntax.in(JavaSources.of("main"))).isEmpty();
        assertThat(NewSyntax.in(JavaSources.of("test"))).isEmpty();
    }

    @Test
    void suchSyntaxIsFoundWithItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("New.java"), """
                class New {
                    record Pair(int a, int b) {}
                    int of(Object value) {
                        if (value instanceof Pair(int a, int b)) {
                            return a + b;
                        }
                        return switch (value) {
                            case String text when text.isEmpty() -> 1;
                            case Integer number -> number;
                            case null, default -> 0;
                        };
                    }
                    int right(Object value) {
                        return switch (value) {
                            case null -> 1;
                            case Integer number -> number;
                            default -> 0;
                        };
                    }
                }
                """);

        List<String> found = NewSyntax.in(JavaSources.parsed(List.of(file)));

        assertThat(found).hasSize(3);
        assertThat(found.get(0)).startsWith("New.java:4: ").contains("a record pattern");
        assertThat(found.get(1)).startsWith("New.java:8: ").contains("a guard");
        assertThat(found.get(2)).startsWith("New.java:10: ").contains("case null, default");
    }
}
