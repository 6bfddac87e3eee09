package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.Embeddings;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.Chunk;
import dev.chargehand.provider.stream.ChunkReader;
import dev.chargehand.provider.stream.UsageReader;
import dev.chargehand.provider.stream.WireJson;
import dev.chargehand.run.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Reads the vectors of an answer, token by token, from any bytes; it knows no connection.
 *
 * <p>Not thread-safe; one per answer.
 */
final class EmbeddingResponseBody {

    private static final Set<String> TYPES = Set.of("application/json", "text/plain", "application/octet-stream", "");

    /** How many numbers the first vector has room for; the next ones are as long as it. */
    private static final int USUAL_DIMENSIONS = 1_536;

    private final WireLimits limits;
    private final ProviderFaults faults;
    private final String key;
    private final float[] @Nullable [] vectors;
    private int dimensions = USUAL_DIMENSIONS;
    private @Nullable Usage usage;
    private boolean isList;
    private boolean isError;

    /**
     * Make the reader of a body.
     *
     * @param texts how many texts were sent
     */
    EmbeddingResponseBody(int texts, WireLimits limits, ProviderFaults faults, String key) {
        this.vectors = new float[texts][];
        this.limits = limits;
        this.faults = faults;
        this.key = key;
    }

    /**
     * Read the body.
     *
     * @param mediaType the type the head says it has; empty if it says none
     * @return one vector for each text, in their order
     * @throws ModelException if the provider reports an error, or the body is no such answer
     * @throws IOException if the connection failed before the answer was whole
     */
    Embeddings read(InputStream body, String mediaType) throws IOException {
        if (!TYPES.contains(mediaType)) {
            throw faults.protocol("the answer is not JSON but " + mediaType
                    + "; check that the base URL is the one of the provider's API");
        }
        byte[] bytes = body.readNBytes(limits.documentBytes() + 1);
        if (bytes.length > limits.documentBytes()) {
            throw faults.tooLarge("the answer", limits.documentBytes(), "bytes");
        }
        if (bytes.length == 0) {
            throw faults.empty();
        }
        try {
            document(bytes);
        } catch (JacksonException e) {
            throw faults.protocol("the answer is not the JSON it should be");
        }
        List<float[]> found = new ArrayList<>(vectors.length);
        for (float[] vector : vectors) {
            if (vector != null) {
                found.add(vector);
            }
        }
        if (found.size() < vectors.length) {
            throw faults.protocol("the answer has " + found.size() + " vectors for " + vectors.length + " texts");
        }
        return new Embeddings(found, usage == null ? Usage.NONE : usage);
    }

    private void document(byte[] bytes) {
        try (JsonParser parser = WireJson.FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                root(parser);
                if (parser.nextToken() != null) {
                    throw faults.protocol("the answer is not one JSON document");
                }
            }
        }
        if (isError || !isList) {
            throw noList(bytes);
        }
    }

    private void root(JsonParser parser) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "data" -> data(parser);
                case "usage" -> usage = UsageReader.read(parser);
                case "error" -> {
                    isError = parser.nextToken() != JsonToken.VALUE_NULL;
                    parser.skipChildren();
                }
                default -> skip(parser);
            }
        }
    }

    private ModelException noList(byte[] bytes) {
        Chunk chunk = new Chunk();
        new ChunkReader(chunk, key).read(bytes, 0, bytes.length, false);
        return chunk.error == null
                ? faults.protocol("the answer has no list of vectors")
                : faults.reported(chunk.error);
    }

    private void data(JsonParser parser) {
        isList = parser.nextToken() == JsonToken.START_ARRAY;
        if (!isList) {
            parser.skipChildren();
            return;
        }
        for (int position = 0; parser.nextToken() != JsonToken.END_ARRAY; position++) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw faults.protocol("an entry of the answer's list is not an object");
            }
            entry(parser, position);
        }
    }

    /** Read one entry; its index says which text it belongs to, and without one its position does. */
    private void entry(JsonParser parser, int position) {
        int index = position;
        float[] vector = {};
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            switch (name) {
                case "index" -> index = index(parser);
                case "embedding" -> vector = vector(parser);
                default -> skip(parser);
            }
        }
        if (index < 0 || index >= vectors.length) {
            throw faults.protocol("the answer has a vector for none of the " + vectors.length + " texts");
        }
        if (vectors[index] != null) {
            throw faults.protocol("the answer has two vectors for text " + (index + 1));
        }
        vectors[index] = vector;
    }

    private int index(JsonParser parser) {
        if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
            throw faults.protocol("the index of a vector is not a number");
        }
        return parser.getIntValue();
    }

    private float[] vector(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_ARRAY) {
            throw faults.protocol("a vector of the answer is not a list of numbers");
        }
        float[] numbers = new float[dimensions];
        int size = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!parser.currentToken().isNumeric()) {
                throw faults.protocol("a vector of the answer has a value that is not a number");
            }
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = parser.getFloatValue();
        }
        dimensions = Math.max(1, size);
        return size == numbers.length ? numbers : Arrays.copyOf(numbers, size);
    }

    private static void skip(JsonParser parser) {
        parser.nextToken();
        parser.skipChildren();
    }
}
