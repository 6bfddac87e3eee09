package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A folder of {@code projects/}, copied to where the project is not, and the commands of its README. */
record CopiedProject(Path folder, Document readme) {

    /** Copies what is part of the project, and not what a build or a run of it has made there. */
    static CopiedProject of(String name, Path folder) throws IOException {
        Path from = Document.PROJECT.resolve("projects").resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path path = from.relativize(file);
                if (path.getNameCount() == 1
                        ? path.toString().matches("pom\\.xml|README\\.md")
                        : !path.startsWith("target")) {
                    Path copy = folder.resolve(path.toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        return new CopiedProject(folder, Document.read("projects/" + name + "/README.md"));
    }

    /** Runs a command of Maven that the README has. */
    Installation.Ran maven(String command) throws Exception {
        List<String> words = readme.command(command);
        assertThat(words).first().isEqualTo("mvn");
        return Installation.maven(folder, words.subList(1, words.size()), Map.of());
    }

    /** Runs a command of Maven that the README has, which succeeds without a warning. */
    void build(String command) throws Exception {
        Installation.Ran ran = maven(command);
        assertThat(ran.out()).doesNotContain("[WARNING]", "[ERROR]");
        assertThat(ran.exitCode()).isZero();
    }

    /** Starts the program of a command of Java that the README has, without what is piped into it. */
    Launched java(String command, String... more) throws IOException {
        List<String> words = readme.command(command);
        words = words.subList(words.indexOf("|") + 1, words.size());
        assertThat(words).first().isEqualTo("java");
        return Launched.java(
                folder, Stream.concat(words.stream().skip(1), Stream.of(more)).toList());
    }

    /** Checks that a text is a block of the README. */
    void assertShown(String printed) {
        assertThat(readme.text()).contains("\n```\n" + printed + "```\n");
    }

    /** Changes a file of the copy, in which the change must have an effect. */
    void change(String file, UnaryOperator<String> change) throws IOException {
        String before = Files.readString(folder.resolve(file));
        String after = change.apply(before);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(folder.resolve(file), after);
    }
}
