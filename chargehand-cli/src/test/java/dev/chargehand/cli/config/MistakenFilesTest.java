package dev.chargehand.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mistaken file gets an answer that names the place and the mend; mistakes.txt has the files with their answers.
 */
class MistakenFilesTest {

    @TempDir
    Path folder;

    static Stream<MistakenFile> files() {
        return MistakenFile.all().stream();
    }

    private List<String> check(byte[] content) throws IOException {
        Files.write(folder.resolve("crew.yaml"), content);
        Commands.Done done = Commands.in(folder, "check", "crew.yaml");
        assertThat(done.exitCode()).isEqualTo(2);
        assertThat(done.out()).isEmpty();
        return done.err().lines().toList();
    }

    private void refuses(byte[] content, String answer) throws IOException {
        assertThat(check(content)).singleElement().asString().startsWith("chargehand: crew.yaml:" + answer);
    }

    private void refuses(String content, String answer) throws IOException {
        refuses(content.getBytes(StandardCharsets.UTF_8), answer);
    }

    @Test
    void thereAreFiftyAndMore() {
        assertThat(MistakenFile.all()).hasSizeGreaterThanOrEqualTo(80);
        assertThat(MistakenFile.all()).extracting(MistakenFile::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void eachMistakeIsNamedWithItsPlaceAndItsMend(MistakenFile file) throws IOException {
        for (var other : file.others().entrySet()) {
            Files.writeString(folder.resolve(other.getKey()), other.getValue());
        }

        List<String> lines = check(file.text().getBytes(StandardCharsets.UTF_8));

        assertThat(lines).hasSameSizeAs(file.answers());
        for (int i = 0; i < lines.size(); i++) {
            String[] parts = file.answers().get(i).split(" … ", -1);
            String place = parts[0].matches("(?s)\\d.*") ? "crew.yaml:" + parts[0] : parts[0];
            assertThat(lines.get(i)).startsWith("chargehand: " + place);
            assertThat(lines.get(i)).containsSubsequence(parts).endsWith(parts[parts.length - 1]);
        }
    }

    @Test
    void whatIsNoTextIsRefusedWhereItStopsBeingOne() throws IOException {
        refuses(new byte[0], "1:1: is empty. It needs the key 'agents'");
        refuses("# nothing but a comment\n", "1:1: is empty. It needs the key 'agents'");
        refuses(
                new byte[] {'a', ':', '\n', ' ', (byte) 0xff, (byte) 0xfe},
                "2:2: is not UTF-8 text from this point on.");
        refuses("agents: { boss: {} }".getBytes(StandardCharsets.UTF_16), "1:1: is not UTF-8 text from this point on.");
        refuses(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0}, "1:1: is not UTF-8 text");
        refuses("agents:\n  bo\u0000ss: {}\n", "2:5: is not valid YAML: the character U+0000 is not allowed");
        refuses("agents:\n  boss: \u001b[2J\n", "2:9: is not valid YAML: the character U+001B is not allowed");
    }

    @Test
    void aByteOrderMarkIsNoMistake() throws IOException {
        Files.writeString(folder.resolve("crew.yaml"), "\ufeffmodel: offline\nagents: { boss: {} }\n");

        assertThat(Commands.in(folder, "check", "crew.yaml").exitCode()).isZero();
    }

    @Test
    void noFileCanMakeTheReaderRunOutOfAnything() throws IOException {
        refuses("[".repeat(100_000), "1:51: lies more than 50 levels deep.");
        refuses("agents: " + "{ a: ".repeat(100_000), "1:254: lies more than 50 levels deep.");
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 20; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]%n".formatted(i, i, i - 1, i - 1));
        }
        refuses(bomb.toString(), "1:1: is too large: more than 20,000 values");
        refuses("agents: &a\n  boss: *a\n", "1:1: is too large: more than 20,000 values");
        assertThat(Commands.in(folder, "check", "/dev/zero").err())
                .contains("/dev/zero")
                .contains(Files.exists(Path.of("/dev/zero")) ? " is larger than a megabyte." : "");
        refuses("# long\n".repeat(200_000), " is larger than a megabyte.");
        refuses(
                "model: offline\ndefault: " + "x".repeat(900_000) + "\nagents: { boss: {} }\n",
                "2:10: unknown agent '" + "x".repeat(80) + "…'. There are: boss.");
        StringBuilder aliases = new StringBuilder("a: &a [x]\nb:\n");
        aliases.append("  - *a\n".repeat(200));
        assertThat(check(aliases.toString().getBytes(StandardCharsets.UTF_8)).getFirst())
                .contains("aliases");
    }

    @Test
    void aModelBesideAScorerThatAsksNoneIsSeen() throws IOException {
        refuses(
                "model: offline\nagents:\n  boss:\n    completion:\n      scorers:\n        - { citations: 1, model: a/b }\n",
                "6:27: scorer 'citations' calls no model.");
    }

    @Test
    void aMistakeOfManyIsNotLostAmongThem() throws IOException {
        StringBuilder wrong = new StringBuilder("model: offline\nagents: { boss: {} }\n");
        for (int i = 0; i < 70; i++) {
            wrong.append("wrong").append(i).append(": 1\n");
        }

        assertThat(check(wrong.toString().getBytes(StandardCharsets.UTF_8)))
                .hasSize(51)
                .last()
                .isEqualTo("chargehand: and 20 mistakes more");
    }

    @Test
    void aTextOfTheFileIsNeverActedOn() throws IOException {
        List<String> lines = check("\"\\e[31m\\n\": 1\nagents: { boss: {} }".getBytes(StandardCharsets.UTF_8));

        assertThat(lines.getFirst()).startsWith("chargehand: crew.yaml:1:1: unknown key '\\u001b[31m' in the file.");
    }

    @Test
    void whatIsNoFileIsSaid() {
        assertThat(Commands.in(folder, "check", "nothing.yaml").err())
                .isEqualTo("chargehand: nothing.yaml: there is no such file. 'chargehand init' makes one (docs/cli.md)."
                        + System.lineSeparator());
        assertThat(Commands.in(folder, "check", ".").err())
                .isEqualTo("chargehand: .: is a folder. Name the file in it." + System.lineSeparator());
    }
}
