package dev.chargehand.tests.golden;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.replay.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of the corpus.
 *
 * @param name what it shows
 * @param asked what the run was asked for
 * @param recording the run as it was stored
 * @param endings the result it had, or, of a run that had not ended, that of each time it was taken up or answered
 */
record Saved(String name, Case asked, Recording recording, List<Ending> endings) {

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
                + "\n  ],\n";
    }

    static Saved read(Path file) {
        try {
            Json json = Json.parse(Files.readString(file));
            return new Saved(
                    json.at("/name").orElseThrow().string().orElseThrow(),
                    Case.valueOf(json.at("/case").orElseThrow().string().orElseThrow()),
                    Recording.load(file),
                    Stream.of(json.at("/endings").orElseThrow().as(Json[].class))
                            .map(Ending::fromJson)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
