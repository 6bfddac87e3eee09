package dev.chargehand.verify.server.client;

import dev.chargehand.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads server-sent events, as they arrive. Used by one thread. */
public final class Frames implements AutoCloseable {

    private final BufferedReader lines;

    public Frames(InputStream body) {
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /**
     * An event, or a comment.
     *
     * @param id the cursor; empty if it has none
     * @param type empty for a comment
     * @param data its JSON
     */
    public record Frame(String id, String type, String data) {

        private static final Frame COMMENT = new Frame("", "", "");

        public boolean isComment() {
            return type.isEmpty();
        }

        /** Return whether this is the end of a run, and not of one within it. */
        public boolean ends(String run) {
            return type.equals("run-finish")
                    && Json.parse(data)
                            .at("/runId")
                            .flatMap(Json::string)
                            .filter(run::equals)
                            .isPresent();
        }
    }

    /** Return the next event or comment; nothing after the last one. */
    public Optional<Frame> next() throws IOException {
        String id = "";
        String type = "";
        String data = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.startsWith(":")) {
                return Optional.of(Frame.COMMENT);
            } else if (line.isEmpty() && !type.isEmpty()) {
                return Optional.of(new Frame(id, type, data));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
