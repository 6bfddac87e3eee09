package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody does who has only the README, an empty folder and the installed artifacts. */
class FirstProjectTest {

    private static final String PROJECT = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.example</groupId>
              <artifactId>first</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>21</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
            @LINES@
              <build><pluginManagement><plugins>@PLUGINS@</plugins></pluginManagement></build>
            </project>
            """;

    @TempDir
    private Path folder;

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @Test
    void theProgramOfTheReadmeRunsInAProjectWithItsLinesAndNamesAMissingKey() throws Exception {
        Document readme = Document.read("README.md");
        project(readme.block("xml", "chargehand-bom"));
        source(readme.block("java", "class FirstSupervisor"));
        provider.enqueue(Reply.text("An article about schools."));

        Installation.Ran ran =
                run(readme, Map.of("OPENAI_API_KEY", "sk-never-to-be-seen", "OPENAI_BASE_URL", provider.baseUrl()));

        assertThat(ran.out()).contains("An article about schools.\nFinished[]").doesNotContain("[WARNING]", "[ERROR]");
        assertThat(ran.exitCode()).isZero();
        assertThat(run(readme, Map.of()).out())
                .contains("there is no key; set the environment variable OPENAI_API_KEY");
        assertThat(provider.log().getFirst().request().model()).isEqualTo("gpt-5.1");
        provider.verify();
    }

    @Test
    void everyModuleOfTheBomIsInstalled() throws Exception {
        List<String> modules = coordinates(Files.readString(Document.PROJECT.resolve("chargehand-bom/pom.xml")));
        assertThat(modules).hasSizeGreaterThan(10).allSatisfy(module -> assertThat(
                        Installation.REPOSITORY.resolve("dev/chargehand").resolve(module))
                .isDirectoryRecursivelyContaining("glob:**.jar")
                .isDirectoryRecursivelyContaining("glob:**.pom"));
    }

    @Test
    void theLinesForGradleNameTheSameArtifacts() throws Exception {
        Document readme = Document.read("README.md");
        String gradle = readme.block("kotlin", "chargehand-bom");
        List<String> named = Pattern.compile("\"dev\\.chargehand:([a-z0-9-]+)")
                .matcher(gradle)
                .results()
                .map(name -> name.group(1))
                .toList();
        assertThat(named).containsExactlyElementsOf(coordinates(readme.block("xml", "chargehand-bom")));
        assertThat(gradle).contains("chargehand-bom:" + version() + "\"");
        assertThat(readme.block("xml", "chargehand-bom")).contains("<version>" + version() + "</version>");
    }

    private static List<String> coordinates(String pom) {
        String dependencies = pom.substring(pom.indexOf("<dependencyManagement>"));
        return Pattern.compile("<groupId>dev\\.chargehand</groupId>\\s*<artifactId>(.+?)</artifactId>")
                .matcher(dependencies)
                .results()
                .map(artifact -> artifact.group(1))
                .toList();
    }

    private static String version() throws IOException {
        MatchResult version = Pattern.compile("<version>(.+?)</version>")
                .matcher(Files.readString(Document.PROJECT.resolve("chargehand-bom/pom.xml")))
                .results()
                .findFirst()
                .orElseThrow();
        return version.group(1);
    }

    /** Runs the README's command, quietly, in the project. */
    private Installation.Ran run(Document readme, Map<String, String> environment) throws Exception {
        List<String> command = readme.command("mvn -q compile");
        return Installation.maven(folder, command.subList(1, command.size()), environment);
    }

    private void source(String program) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("src/main/java")).resolve("FirstSupervisor.java"), program);
    }

    /** Makes the POM; the plugins get the versions of this build, which are in its repository. */
    private void project(String lines) throws IOException {
        String parent = Files.readString(Document.PROJECT.resolve("pom.xml"));
        StringBuilder plugins = new StringBuilder();
        for (String plugin : List.of("compiler", "resources")) {
            String id = "<artifactId>maven-" + plugin + "-plugin</artifactId>";
            MatchResult version = Pattern.compile(id + "\\s*<version>(.+?)</version>")
                    .matcher(parent)
                    .results()
                    .findFirst()
                    .orElseThrow();
            plugins.append("<plugin>" + id + "<version>" + version.group(1) + "</version></plugin>");
        }
        Files.writeString(
                folder.resolve("pom.xml"), PROJECT.replace("@LINES@", lines).replace("@PLUGINS@", plugins));
    }
}
