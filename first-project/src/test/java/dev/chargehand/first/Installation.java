package dev.chargehand.first;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The repository into which the build has installed the artifacts. Other libraries are copied into it from the repository of this
 * build, which has most of them, or from Maven Central.
 */
final class Installation {

    static final Path REPOSITORY = Path.of(System.getProperty("first.repository"));

    private static final String SETTINGS = """
            <settings>
              <profiles>
                <profile>
                  <id>cache</id>
                  <repositories>
                    <repository>
                      <id>cache</id>
                      <url>@CACHE@</url>
                      <releases><checksumPolicy>ignore</checksumPolicy></releases>
                      <snapshots><enabled>false</enabled></snapshots>
                    </repository>
                  </repositories>
                  <pluginRepositories>
                    <pluginRepository>
                      <id>cache</id>
                      <url>@CACHE@</url>
                      <releases><checksumPolicy>ignore</checksumPolicy></releases>
                      <snapshots><enabled>false</enabled></snapshots>
                    </pluginRepository>
                  </pluginRepositories>
                </profile>
              </profiles>
              <activeProfiles><activeProfile>cache</activeProfile></activeProfiles>
            </settings>
            """;

    /** What a program printed, and its exit code. */
    record Ran(int exitCode, String out) {}

    private Installation() {}

    /** Runs Maven in the folder of a project, with the JDK of this process. */
    static Ran maven(Path project, List<String> arguments, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path cache = Path.of(System.getProperty("first.cache"));
        Path settings = Files.writeString(
                Files.createTempFile("settings", ".xml"),
                SETTINGS.replace("@CACHE@", cache.toUri().toString()));
        Path out = Files.createTempFile("maven", ".log");
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-s", settings.toString()));
        command.add("-Dmaven.repo.local=" + REPOSITORY);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        String jdk = System.getProperty("java.home");
        builder.environment().put("JAVA_HOME", jdk);
        builder.environment().merge("PATH", jdk + "/bin", (old, bin) -> bin + ":" + old);
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        builder.environment().keySet().removeIf(name -> name.endsWith("_API_KEY"));
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Ran(exitCode, Files.readString(out, StandardCharsets.UTF_8));
    }
}
