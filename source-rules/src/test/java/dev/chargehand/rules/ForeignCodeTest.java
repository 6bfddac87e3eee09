package dev.chargehand.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No test asserts where a failing assertion does not fail it. */
class ForeignCodeTest {

    @TempDir
    Path folder;

    @Test
    void noTestAssertsWithinTheCodeOfAToolHookOrScorer() throws IOException {
        assertThat(ForeignCode.assertionsIn(JavaSources.of("test"))).isEmpty();
    }

    @Test
    void anAssertionThereIsFoundWithItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("Wrong.java"), """
                class Wrong {
                    Object tool = Tool.of("a", "b", In.class, (in, context) -> {
                        assertThat(in).isNull();
                        return 1;
                    });
                    Object built = Tool.builder("a", "b").handler((in, context) -> {
                        Thread.startVirtualThread(() -> assertThatThrownBy(() -> in.run()));
                        return 1;
                    });
                    Object hook = o.onStepFinish(step -> Assertions.assertThat(step).isNull());
                    Object scorer = Scorer.of("a", context -> { assertEquals(1, 2); return null; });
                    void right() {
                        var result = run(o -> o.onFinish(kept::add), () -> assertThat(1).isOne());
                        assertThat(result).satisfies(each -> assertThat(each).isNull());
                        List.of(1).forEach(each -> assertThat(each).isOne());
                    }
                }
                """);

        List<String> found = ForeignCode.assertionsIn(JavaSources.parsed(List.of(file)));

        assertThat(found).hasSize(4);
        assertThat(found.get(0)).startsWith("Wrong.java:3: assertThat within code that of takes");
        assertThat(found.get(1)).startsWith("Wrong.java:7: assertThatThrownBy within code that handler takes");
        assertThat(found.get(2)).startsWith("Wrong.java:10: ").contains("onStepFinish");
        assertThat(found.get(3)).startsWith("Wrong.java:11: assertEquals");
    }
}
