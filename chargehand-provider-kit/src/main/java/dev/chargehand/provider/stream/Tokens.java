package dev.chargehand.provider.stream;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;

/** Reads values of which nothing is certain; the parser stands on the name of a field. */
final class Tokens {

    private Tokens() {}

    /** Pass over the field's value. */
    static void skip(JsonParser parser) {
        parser.nextToken();
        parser.skipChildren();
    }

    /** Return the field's value as {@link #currentText} does. */
    static String text(JsonParser parser) {
        parser.nextToken();
        return currentText(parser);
    }

    /** Return the field's value as JSON if it is an object or a list; a text as it is, and anything else as empty. */
    static String json(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token != JsonToken.START_OBJECT && token != JsonToken.START_ARRAY) {
            return currentText(parser);
        }
        StringWriter json = new StringWriter();
        try (JsonGenerator generator = WireJson.FACTORY.createGenerator(ObjectWriteContext.empty(), json)) {
            generator.copyCurrentStructure(parser);
        }
        return json.toString();
    }

    /** Return whether the field's value is this text; creates no string for the other texts in every chunk. */
    static boolean says(JsonParser parser, String text) {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            parser.skipChildren();
            return false;
        }
        return parser.getStringLength() == text.length() && parser.getString().equals(text);
    }

    /** Return a string or a number as text; anything else is passed over and counts as empty. */
    static String currentText(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }
}
