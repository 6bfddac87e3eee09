package org.example.newsroom;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed while the archive is searched; another one continues its run from the file. */
class CrashTest {

    @TempDir
    private Path folder;

    @Test
    void aKilledRunContinuesWithoutAskingItsModelsAgain() throws Exception {
        Path store = folder.resolve("newsroom.db");
        killWhileSearching(store);

        List<String> searched = new ArrayList<>();
        Script rest = ScriptedModel.script()
                .on("editor")
                .calls("publish", Map.of("text", Scripts.ARTICLE))
                .on("researcher")
                .says(Scripts.FACT);
        try (TestRuntime test = TestRuntime.builder(rest)
                .store(JdbcStore.sqlite(store))
                .ids(IdSource.secure())
                .agents(Newsroom.editor(
                        words -> {
                            searched.add(words);
                            return List.of("1610: first tea in Amsterdam");
                        },
                        (text, key) -> {}))
                .build()) {
            List<RunResult> results = test.runtime().recover().await();
            assertThat(results).hasSize(1);
            assertThat(results.getFirst())
                    .hasStatus(RunStatus.SUSPENDED)
                    .delegatedTo("researcher", "When did tea reach Europe?");
        }
        assertThat(searched).containsExactly("tea"); // once more: the tool is repeatable
        rest.assertExhausted();
    }

    private static void killWhileSearching(Path store) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Killed.class.getName(), store.toString())
                .redirectError(new File(store + ".log"))
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("searching for tea");
        process.destroyForcibly().waitFor();
    }

    /** The program that is killed. */
    static final class Killed {

        private Killed() {}

        public static void main(String[] arguments) {
            try (TestRuntime test = TestRuntime.builder(Scripts.article())
                    .store(JdbcStore.sqlite(Path.of(arguments[0])))
                    .ids(IdSource.secure())
                    .build()) {
                test.bind(Newsroom.editor(
                                words -> {
                                    System.out.println("searching for " + words);
                                    Thread.sleep(Long.MAX_VALUE);
                                    return List.of();
                                },
                                (text, key) -> {}))
                        .generate("An article about tea");
            }
        }
    }
}
