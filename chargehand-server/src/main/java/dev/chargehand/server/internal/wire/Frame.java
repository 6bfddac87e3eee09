package dev.chargehand.server.internal.wire;

import dev.chargehand.json.Json;
import java.util.Map;

/**
 * A part of a stream that is written as a whole.
 *
 * @param text what is written
 */
public record Frame(String text) {

    /** The frame after which a client of OpenAI's form expects nothing. */
    public static final Frame DONE = new Frame("data: [DONE]\n\n");

    /** Return a server-sent event without a name. */
    public static Frame data(Map<String, ?> fields) {
        return new Frame("data: " + line(fields) + "\n\n");
    }

    /** Return a server-sent event. */
    public static Frame event(String name, Map<String, ?> fields) {
        return new Frame("event: " + name + "\ndata: " + line(fields) + "\n\n");
    }

    /** Return JSON on one line; texts of others that are put into it as they are may have several. */
    private static String line(Map<String, ?> fields) {
        Json json = Json.of(fields);
        boolean several = json.text().indexOf('\n') >= 0 || json.text().indexOf('\r') >= 0;
        return several ? json.canonical().text() : json.text();
    }
}
