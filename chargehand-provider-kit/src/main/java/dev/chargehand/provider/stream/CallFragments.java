package dev.chargehand.provider.stream;

import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads tool calls, or pieces of them, in the forms that servers give them. */
final class CallFragments {

    private CallFragments() {}

    /** Read a field with a list of calls. */
    static void readAll(JsonParser parser, List<CallFragment> into) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            read(parser, into);
        }
    }

    /** Read a field with one call. */
    static void readOne(JsonParser parser, List<CallFragment> into) {
        parser.nextToken();
        read(parser, into);
    }

    /** Read a call; the fields of its function may also be next to it, as in the older form. */
    private static void read(JsonParser parser, List<CallFragment> into) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        int index = CallFragment.NO_INDEX;
        String id = "";
        String name = "";
        String arguments = "";
        int open = 1;
        while (open > 0) {
            String field = parser.nextName();
            if (field == null) {
                open--;
                continue;
            }
            switch (field) {
                case "index" -> index = Math.max(parser.nextIntValue(CallFragment.NO_INDEX), CallFragment.NO_INDEX);
                case "id" -> id = Tokens.text(parser);
                case "name" -> name = Tokens.text(parser);
                case "arguments" -> arguments = Tokens.json(parser);
                case "function" -> {
                    if (parser.nextToken() == JsonToken.START_OBJECT) {
                        open++;
                    } else {
                        parser.skipChildren();
                    }
                }
                default -> Tokens.skip(parser);
            }
        }
        into.add(new CallFragment(index, id, name, arguments));
    }
}
