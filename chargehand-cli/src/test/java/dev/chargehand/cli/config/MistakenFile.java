package dev.chargehand.cli.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mistaken file of mistakes.txt.
 *
 * @param name what is wrong with it, in words
 * @param text what stands in it
 * @param schema whether the JSON Schema can see the mistake too
 * @param answers what the command answers, a line each; " … " stands for anything
 */
record MistakenFile(String name, String text, boolean schema, List<String> answers) {

    static List<MistakenFile> all() {
        try (InputStream in = MistakenFile.class.getResourceAsStream("mistakes.txt")) {
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(all.split("(?m)^=== "))
                    .skip(1)
                    .map(MistakenFile::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MistakenFile of(String entry) {
        List<String> lines = entry.lines().toList();
        String name = lines.getFirst();
        String text = String.join(
                "\n",
                lines.stream().skip(1).filter(line -> !line.startsWith(">>> ")).toList());
        return new MistakenFile(
                name.replace(" (for the reader only)", ""),
                text + "\n",
                !name.endsWith(" (for the reader only)"),
                lines.stream()
                        .filter(line -> line.startsWith(">>> "))
                        .map(line -> line.substring(4))
                        .toList());
    }

    @Override
    public String toString() {
        return name;
    }
}
