package dev.chargehand.cli.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A mistaken file of mistakes.txt.
 *
 * @param name what is wrong with it, in words
 * @param text what stands in it
 * @param others files beside it, by their names; an orders.yaml that is right is among them unless there is another
 * @param schema whether the JSON Schema can see the mistake too
 * @param answers what the command answers, a line each; " … " stands for anything
 */
record MistakenFile(String name, String text, Map<String, String> others, boolean schema, List<String> answers) {

    /** A document that is right. */
    static String orders() {
        return resource("orders.yaml");
    }

    private static String resource(String name) {
        try (InputStream in = MistakenFile.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<MistakenFile> all() {
        return Stream.of(resource("mistakes.txt").split("(?m)^=== "))
                .skip(1)
                .map(MistakenFile::of)
                .toList();
    }

    private static MistakenFile of(String entry) {
        List<String> lines = entry.lines().toList();
        String name = lines.getFirst();
        String text = String.join(
                "\n",
                lines.stream().skip(1).filter(line -> !line.startsWith(">>> ")).toList());
        String[] files = text.split("(?m)^\\+\\+\\+ ");
        Map<String, String> others = new LinkedHashMap<>(Map.of("orders.yaml", orders()));
        Stream.of(files).skip(1).forEach(file -> {
            int end = file.indexOf('\n');
            others.put(file.substring(0, end), file.substring(end + 1) + "\n");
        });
        return new MistakenFile(
                name.replace(" (for the reader only)", ""),
                files[0] + "\n",
                others,
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
