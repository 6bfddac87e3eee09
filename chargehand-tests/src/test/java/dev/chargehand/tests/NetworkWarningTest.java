package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A network says that it is deprecated: to the compiler, and once in a process that uses one. */
class NetworkWarningTest {

    /** Runs three networks in the process, and shows what they logged. */
    public static void main(String[] arguments) {
        System.out.print(Logged.during(NetworkWarningTest::runThree));
    }

    @SuppressWarnings("deprecation") // what is tested
    private static void runThree() {
        try (TestRuntime test =
                Crew.playing(Scripts.on("solo").says(Routed.none("Hello.")).forever(), Crew.solo())) {
            Agent agent = test.agent("solo");
            agent.generateNetwork("One", o -> o.thread("t"));
            agent.network("Two", o -> o.thread("t")).result();
            agent.generateNetwork("Three", o -> o.thread("t"));
        }
    }

    @Test
    void itIsLoggedOnceInAProcessWithTheWayOut() throws IOException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        NetworkWarningTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(log).isZero();
        assertThat(log.lines().filter(line -> line.contains("deprecated")))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("WARN")
                        .contains("stream()", "generate()", "migrating-from-network.md"));
        assertThat(Files.exists(Path.of("../docs/migrating-from-network.md"))).isTrue();
    }

    @Test
    void everyMethodIsDeprecatedSinceTheFirstVersion() {
        assertThat(Stream.of(Agent.class.getMethods())
                        .filter(method ->
                                method.getName().toLowerCase(Locale.ROOT).contains("network")))
                .hasSize(7)
                .allSatisfy(method -> assertThat(method.getAnnotation(Deprecated.class))
                        .isNotNull()
                        .satisfies(deprecated -> assertThat(deprecated.since()).isEqualTo("0.1.0")));
    }
}
