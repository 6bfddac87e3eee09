package dev.chargehand.provider.stream;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

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
