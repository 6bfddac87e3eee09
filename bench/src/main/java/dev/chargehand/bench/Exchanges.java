package dev.chargehand.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The requests of a run as bodies, the same that Chargehand sends, for programs that only send them. */
@FunctionalInterface
interface Exchanges {

    /** What stands for the marker in a recording. */
    String RECORDED_MARKER = "m0recorded0x";

    /** Return the bodies of a run, in order. */
    List<String> of(String marker);

    /** Return the requests that were recorded of a run with {@link #RECORDED_MARKER}, one in each line of a file. */
    static Exchanges recorded(Path file) throws IOException {
        List<String[]> bodies = Files.readAllLines(file).stream()
                .map(line -> line.split(RECORDED_MARKER, -1))
                .toList();
        return marker ->
                bodies.stream().map(parts -> String.join(marker, parts)).toList();
    }
}
