package dev.chargehand.provider.stream;

import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.run.Usage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A reader of one chunk of an answer, or a whole answer that came as one document, token by token.
 *
 * <p>Lenient about what servers differ in (where reasoning stands, arguments as an object, content in parts), strict
 * about JSON. Not thread-safe; one per answer.
 */
public final class ChunkReader {

    private final Chunk chunk;
    private final String key;
    private final ContentChunk contents = new ContentChunk();
    private String code = "";
    private String type = "";
    private String message = "";

    public ChunkReader(Chunk chunk, String key) {
        this.chunk = chunk;
        this.key = key;
    }

    /**
     * Fill the chunk.
     *
     * @param isError whether it is known from outside that this is an error object
     * @throws JacksonException if the bytes are not exactly one JSON object; its message may quote them
     */
    public void read(byte[] bytes, int from, int length, boolean isError) {
        chunk.clear();
        if (isError || !contents.read(bytes, from, length, chunk)) {
            parse(bytes, from, length, isError);
        }
    }

    /** Fill a chunk that is empty, by the parser. */
    void parse(byte[] bytes, int from, int length, boolean isError) {
        requireNoPadding(bytes, from, length);
        code = "";
        type = "";
        message = "";
        ChunkParser pooled = ChunkParser.take();
        JsonParser parser = pooled.on(bytes, from, length);
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new NotAnObjectException();
        }
        boolean error = root(parser) || isError;
        if (pooled.hasMore()) {
            throw new NotAnObjectException();
        }
        pooled.releaseToPool();
        if (error && chunk.error == null) {
            chunk.error = ProviderError.of(code, type, message, key);
        }
    }

    /**
     * Reject the byte 0xFF, which UTF-8 never has. The parser pads the last four bytes of a name with it, so it takes {@code choi\xFFces}
     * for {@code choices} if it has read that before, and rejects it otherwise.
     */
    private static void requireNoPadding(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (bytes[i] == (byte) 0xFF) {
                throw new NotAnObjectException();
            }
        }
    }

    /** Read the fields of the root; true if it calls itself an error. */
    private boolean root(JsonParser parser) {
        boolean error = false;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "choices" -> choices(parser);
                case "usage" -> chunk.usage = usage(parser);
                case "x_groq" -> vendor(parser);
                case "error" -> error(parser);
                case "object" -> error = Tokens.says(parser, "error");
                case "code", "status" -> code = Tokens.text(parser);
                case "type" -> type = Tokens.text(parser);
                case "message" -> message = Tokens.text(parser);
                default -> Tokens.skip(parser);
            }
        }
        return error;
    }

    /** Read the first choice: we ask for one. */
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
        boolean delta = false;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "delta" -> {
                    // What some servers send next to it is the answer so far.
                    chunk.clearContent();
                    message(parser);
                    delta = true;
                }
                case "message" -> {
                    if (delta) {
                        Tokens.skip(parser);
                    } else {
                        message(parser);
                    }
                }
                case "finish_reason" -> chunk.finish = Tokens.text(parser);
                case "usage" -> chunk.usage = usage(parser);
                case "error" -> error(parser);
                default -> Tokens.skip(parser);
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
                case "refusal" -> chunk.addText(Tokens.text(parser));
                case "reasoning_content" -> chunk.addReasoning(Tokens.text(parser));
                case "reasoning" -> reasoning = Tokens.text(parser);
                case "reasoning_details" -> chunk.reasoningDetails = Tokens.json(parser);
                case "tool_calls" -> CallFragments.readAll(parser, chunk.calls);
                case "function_call" -> CallFragments.readOne(parser, chunk.calls);
                default -> Tokens.skip(parser);
            }
        }
        // Some servers send the same words under both names.
        if (chunk.reasoning.isEmpty()) {
            chunk.addReasoning(reasoning);
        }
    }

    /** Read a string, or parts of text and of thinking. */
    private void content(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            chunk.addText(Tokens.currentText(parser));
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
                String text = Tokens.text(parser);
                if (thinking) {
                    chunk.addReasoning(text);
                } else {
                    chunk.addText(text);
                }
            } else if (name.equals("thinking") && !thinking) {
                thoughts(parser);
            } else {
                Tokens.skip(parser);
            }
        }
    }

    private void thoughts(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            chunk.addReasoning(Tokens.currentText(parser));
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

    private void error(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        if (token != JsonToken.START_OBJECT) {
            String text = Tokens.currentText(parser);
            chunk.error = ProviderError.of("", text, text, key);
            return;
        }
        chunk.error = ErrorObject.read(parser, key);
    }

    /** Read a usage object; keeps what there is if this is none. */
    private @Nullable Usage usage(JsonParser parser) {
        Usage found = UsageReader.read(parser);
        return found == null ? chunk.usage : found;
    }

    private void vendor(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return;
        }
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "usage" -> chunk.usage = usage(parser);
                case "error" -> error(parser);
                default -> Tokens.skip(parser);
            }
        }
    }

    /** The bytes are no JSON in UTF-8, or not one object. */
    static final class NotAnObjectException extends JacksonException {

        private static final long serialVersionUID = 1L;

        NotAnObjectException() {
            super("not one JSON object");
        }
    }
}
