package dev.chargehand.clients;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Starts the program of scenarios for Java, with the libraries of its client and without ours. */
final class JavaProcess {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Path BUILD =
            Path.of("..", "openai-java-scenarios", "target").toAbsolutePath().normalize();
    private static final String CLASS_PATH =
            BUILD.resolve("classes") + File.pathSeparator + BUILD.resolve("lib") + "/*";

    private JavaProcess() {}

    /** Run the scenarios of OpenAI's client and return the lines that the program wrote. */
    static List<String> run(String... arguments) {
        List<String> command = List.of(
                JAVA.toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                CLASS_PATH,
                "dev.chargehand.clients.openai.OpenAiScenarios");
        return NodeProcess.output(
                Path.of("").toAbsolutePath(),
                Stream.concat(command.stream(), Stream.of(arguments)).toArray(String[]::new));
    }
}
