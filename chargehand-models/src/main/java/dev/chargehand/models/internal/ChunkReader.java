package dev.chargehand.models.internal;

import dev.chargehand.run.Usage;
import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;

/**
 * Reads one chunk of an answer, or a whole answer that came as one document, token by token.
 *
 * <p>Lenient about what servers differ in (where reasoning stands, arguments as an object, content in parts), strict
 * about JSON. Not thread-safe; one per answer.
 */
final class ChunkReader {

    private final Chunk chunk;
    private final String key;
    private String code = "";
    private String type = "";

    ChunkReader(Chunk chunk, String key) {
        this.chunk = chunk;
        this.key = key;
    }

    /**
     * Fills the chunk.
     *
     * @param isError whether it is known from outside that this is an error object
     * @throws JacksonException if the bytes are not exactly one JSON object; its message may quote them
     */
    void read(byte[] bytes, int from, int length, boolean isError) {
        chunk.clear();
        code = "";
        type = "";
        try (JsonParser parser = WireJson.FACTORY.createParser(ObjectReadContext.empty(), bytes, from, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new NotAnObject();
            }
            boolean error = root(parser) || isError;
            if (parser.nextToken() != null) {
                throw new NotAnObject();
            }
            if (error && chunk.error == null) {
                chunk.error = ProviderError.of(code, type, key);
            }
        }
    }

    /** Reads the fields of the root; true if it calls itself an error. */
    private boolean root(JsonParser parser) {
        boolean error = false;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "choices" -> choices(parser);
                case "usage" -> usage(parser);
                case "x_groq" -> vendor(parser);
                case "error" -> error(parser);
                case "object" -> error = "error".equals(text(parser));
                case "code", "status" -> code = text(parser);
                case "type" -> type = text(parser);
                default -> skip(parser);
            }
        }
        return error;
    }

    /** Reads the first choice: we ask for one. */
    private void choices(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (chunk.hasChoice || parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
            } else {
                chunk.hasChoice = true;
                choice(parser);
            }
        }
    }

    private void choice(JsonParser parser) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "delta", "message" -> message(parser);
                case "finish_reason" -> chunk.finish = text(parser);
                case "usage" -> usage(parser);
                case "error" -> error(parser);
                default -> skip(parser);
            }
        }
    }

    private void message(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        String reasoning = "";
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "content" -> content(parser);
                case "refusal" -> chunk.addText(text(parser));
                case "reasoning_content" -> chunk.addReasoning(text(parser));
                case "reasoning" -> reasoning = text(parser);
                case "tool_calls" -> calls(parser);
                case "function_call" -> call(parser);
                default -> skip(parser);
            }
        }
        // Some servers send the same words under both names.
        if (chunk.reasoning.isEmpty()) {
            chunk.addReasoning(reasoning);
        }
    }

    /** Reads a string, or parts of text and of thinking. */
    private void content(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            chunk.addText(currentText(parser));
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                part(parser, false);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void part(JsonParser parser, boolean thinking) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (name.equals("text")) {
                String text = text(parser);
                if (thinking) {
                    chunk.addReasoning(text);
                } else {
                    chunk.addText(text);
                }
            } else if (name.equals("thinking") && !thinking) {
                thoughts(parser);
            } else {
                skip(parser);
            }
        }
    }

    private void thoughts(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            chunk.addReasoning(currentText(parser));
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.START_OBJECT) {
                part(parser, true);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void calls(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            callHere(parser);
        }
    }

    private void call(JsonParser parser) {
        parser.nextToken();
        callHere(parser);
    }

    /** Reads a call; the fields of its function may also stand beside it, as in the older form. */
    private void callHere(JsonParser parser) {
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
                case "id" -> id = text(parser);
                case "name" -> name = text(parser);
                case "arguments" -> arguments = raw(parser);
                case "function" -> {
                    if (parser.nextToken() == JsonToken.START_OBJECT) {
                        open++;
                    } else {
                        parser.skipChildren();
                    }
                }
                default -> skip(parser);
            }
        }
        chunk.calls.add(new CallFragment(index, id, name, arguments));
    }

    private void error(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        if (token != JsonToken.START_OBJECT) {
            chunk.error = ProviderError.of("", currentText(parser), key);
            return;
        }
        String errorCode = "";
        String errorType = "";
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "code" -> errorCode = text(parser);
                case "type", "status" -> errorType = text(parser);
                default -> skip(parser);
            }
        }
        chunk.error = ProviderError.of(errorCode, errorType, key);
    }

    private void vendor(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (name.equals("usage")) {
                usage(parser);
            } else {
                skip(parser);
            }
        }
    }

    private void usage(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        long input = 0;
        long output = 0;
        long total = 0;
        long cached = 0;
        long reasoning = 0;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "prompt_tokens" -> input = count(parser);
                case "completion_tokens" -> output = count(parser);
                case "total_tokens" -> total = count(parser);
                case "prompt_cache_hit_tokens" -> cached = count(parser);
                case "prompt_tokens_details" -> cached = detail(parser, "cached_tokens", cached);
                case "completion_tokens_details" -> reasoning = detail(parser, "reasoning_tokens", reasoning);
                default -> skip(parser);
            }
        }
        // Most count reasoning in the output; where the total shows that it is not, it is added.
        boolean apart = reasoning > 0 && total == input + output + reasoning;
        chunk.usage = new Usage(input, apart ? output + reasoning : output, cached, reasoning);
    }

    private static long detail(JsonParser parser, String wanted, long otherwise) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return otherwise;
        }
        long found = otherwise;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (name.equals(wanted)) {
                found = count(parser);
            } else {
                skip(parser);
            }
        }
        return found;
    }

    private static long count(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
            parser.skipChildren();
            return 0;
        }
        return Math.max(0, parser.getValueAsLong(0));
    }

    private static void skip(JsonParser parser) {
        parser.nextToken();
        parser.skipChildren();
    }

    private static String text(JsonParser parser) {
        parser.nextToken();
        return currentText(parser);
    }

    /** Returns a string or a number as text; anything else is passed over and counts as empty. */
    private static String currentText(JsonParser parser) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
            return parser.getString();
        }
        parser.skipChildren();
        return "";
    }

    /** Returns arguments as text: a string as it is, an object as JSON. */
    private static String raw(JsonParser parser) {
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

    /** The bytes are JSON, but not one object. */
    static final class NotAnObject extends JacksonException {

        private static final long serialVersionUID = 1L;

        NotAnObject() {
            super("not one JSON object");
        }
    }
}
