package dev.chargehand.provider.stream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** The JSON library as the wire uses it: tokens only, nesting capped. */
public final class WireJson {

    /** The limit of a run (64 levels), and the envelope around it. */
    private static final int MAX_NESTING = 80;

    public static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
            .build();

    private WireJson() {}

    /** Return whether a text is exactly one JSON object. */
    public static boolean isObject(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return parser.nextToken() == JsonToken.START_OBJECT
                    && parser.skipChildren().currentToken() == JsonToken.END_OBJECT
                    && parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }
}
