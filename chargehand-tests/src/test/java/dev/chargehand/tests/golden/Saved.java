package dev.chargehand.tests.golden;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.replay.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of the corpus.
 *
 * @param name what it shows
 * @param asked what the run was asked for
 * @param recording the run as it was stored; of a conversation with background tasks, all its root runs
 * @param readers which run has read the result of each task
 * @param endings the result it had, or, of a run that had not ended, that of each time it was taken up or answered
 */
record Saved(String name, Case asked, Recording recording, Map<String, String> readers, List<Ending> endings) {

    static final Path CORPUS = Path.of("src/test/resources/golden");

    void write(Path folder) {
        Path file = folder.resolve(name + ".json");
        recording.save(file);
        try {
            String text = Files.readString(file);
            Files.writeString(file, "{\n" + head() + text.substring(text.indexOf('\n') + 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String head() {
        String lines = endings.stream().map(ending -> "    " + ending.toJson()).collect(Collectors.joining(",\n"));
        return "  \"name\" : \"" + name + "\",\n  \"case\" : \"" + asked.name() + "\",\n  \"endings\" : [\n" + lines
                + "\n  ],\n"
                + (readers.isEmpty()
                        ? ""
                        : "  \"readers\" : " + Json.of(readers).canonical().text() + ",\n");
    }

    static Saved read(Path file) {
        try {
            Json json = Json.parse(Files.readString(file));
            return new Saved(
                    json.at("/name").orElseThrow().string().orElseThrow(),
                    Case.valueOf(json.at("/case").orElseThrow().string().orElseThrow()),
                    Recording.load(file),
                    json.at("/readers").map(Saved::texts).orElse(Map.of()),
                    Stream.of(json.at("/endings").orElseThrow().as(Json[].class))
                            .map(Ending::fromJson)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> texts(Json json) {
        return json.fields().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().string().orElseThrow()));
    }

    static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
