package dev.chargehand.models.internal;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads values of which nothing is certain; the parser stands on the name of a field. */
final class Tokens {

    private Tokens() {}

    /** Passes over the field's value. */
    static void skip(JsonParser parser) {
        parser.nextToken();
        parser.skipChildren();
    }

    /** Returns the field's value as {@link #currentText} does. */
    static String text(JsonParser parser) {
        parser.nextToken();
        return currentText(parser);
    }

    /** Tells whether the field's value is this text; makes no text of another, which stands in every chunk. */
    static boolean says(JsonParser parser, String text) {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            parser.skipChildren();
            return false;
        }
        return parser.getStringLength() == text.length() && parser.getString().equals(text);
    }

    /** Returns a string or a number as text; anything else is passed over and counts as empty. */
    static String currentText(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }
}
