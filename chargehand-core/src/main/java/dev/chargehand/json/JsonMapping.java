package dev.chargehand.json;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.json.PlainJson;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads and writes JSON, and maps it to Java values. The mapping of the JSON library takes longer to load than the rest of a short program, so it
 * is left alone until there is something that is not plain.
 */
final class JsonMapping {

    private static final int LONGEST_SENTENCE = 500;

    private JsonMapping() {}

    /** What takes long to load. */
    private static final class Loaded {

        private static final JsonMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .addModule(FiniteFloat.addTo(NotValues.module()))
                .build();

        private static final ObjectWriter SORTED = MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    }

    /** Reads a {@code float}, and rejects a number beyond its range, which the JSON library reads as infinite. */
    private static final class FiniteFloat extends NumberDeserializers.FloatDeserializer {

        private FiniteFloat(Class<Float> type, @Nullable Float ifNull) {
            super(type, ifNull);
        }

        static SimpleModule addTo(SimpleModule module) {
            return module.addDeserializer(float.class, new FiniteFloat(float.class, 0f))
                    .addDeserializer(Float.class, new FiniteFloat(Float.class, null))
                    .addDeserializer(float[].class, new FiniteFloats());
        }

        @Override
        public Float deserialize(JsonParser parser, DeserializationContext context) {
            boolean isNumber = parser.currentToken().isNumeric();
            Float read = super.deserialize(parser, context);
            if (isNumber && read.isInfinite()) {
                throw context.weirdNumberException(read, handledType(), "it is beyond the range");
            }
            return read;
        }
    }

    /** Reads an array of {@code float} item by item, so that {@link FiniteFloat} reads each. */
    private static final class FiniteFloats extends ValueDeserializer<float[]> {

        @Override
        public float[] deserialize(JsonParser parser, DeserializationContext context) {
            Float[] items = context.readValue(parser, Float[].class);
            float[] read = new float[items.length];
            for (int i = 0; i < read.length; i++) {
                Float item = items[i];
                if (item == null) {
                    throw context.weirdNumberException(Float.NaN, float.class, "it is null");
                }
                read[i] = item;
            }
            return read;
        }
    }

    /** Return the mapping of the JSON library. */
    static JsonMapper mapper() {
        return Loaded.MAPPER;
    }

    private static @Nullable String raw(Object value) {
        return value instanceof Json json ? json.text() : null;
    }

    static JsonNode parse(String text) {
        Optional<JsonNode> plain = PlainJson.read(text);
        return plain.isPresent() ? plain.get() : parseAny(text);
    }

    private static JsonNode parseAny(String text) {
        try {
            JsonNode tree = mapper().reader()
                    .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .readTree(text);
            if (tree.isMissingNode()) {
                throw new InvalidJsonException("Not valid JSON: the text is empty.", null);
            }
            if (!isBounded(tree)) {
                throw new InvalidJsonException("Not valid JSON: a number has an exponent of more than 1,000.", null);
            }
            return tree;
        } catch (JacksonException e) {
            throw new InvalidJsonException("Not valid JSON" + position(e) + ": " + cut(MappingFaults.ofText(e)), e);
        } catch (NumberFormatException e) { // of an exponent that exceeds those of decimal numbers
            throw new InvalidJsonException("Not valid JSON: " + MappingFaults.TOO_LARGE + ".", e);
        }
    }

    private static boolean isBounded(JsonNode tree) {
        if (tree.isBigDecimal()) {
            return PlainJson.isBounded(tree.decimalValue());
        }
        for (JsonNode part : tree) {
            if (!isBounded(part)) {
                return false;
            }
        }
        return true;
    }

    static String write(@Nullable Object value) {
        Optional<String> plain = PlainJson.written(value, JsonMapping::raw);
        return plain.isPresent() ? plain.get() : writeAny(value);
    }

    private static String writeAny(@Nullable Object value) {
        try {
            return mapper().writeValueAsString(value);
        } catch (JacksonException e) {
            throw new InvalidJsonException("Cannot be written as JSON: " + cut(MappingFaults.ofValue(e)) + ".", e);
        }
    }

    /** Write a value; of one that is longer, its start. */
    static String start(@Nullable Object value, int most) {
        LimitedWriter plain = new LimitedWriter(most);
        try {
            if (PlainJson.writes(value, JsonMapping::raw, plain)) {
                return plain.text();
            }
        } catch (JacksonException e) {
            if (plain.isFull()) {
                return plain.text();
            }
        }
        LimitedWriter start = new LimitedWriter(most);
        try {
            mapper().writeValue(start, value);
        } catch (JacksonException e) {
            if (!start.isFull()) {
                throw new InvalidJsonException("Cannot be written as JSON: " + MappingFaults.ofPart(e), e);
            }
        }
        return start.text();
    }

    static <T> T bind(JsonNode tree, Class<T> type) {
        return PlainTypes.read(tree, type).orElseGet(() -> bound(() -> mapper().treeToValue(tree, type)));
    }

    @SuppressWarnings("unchecked") // the class is that of the type
    static <T> T bind(JsonNode tree, JsonType<T> type) {
        return type.type() instanceof Class<?> plain
                ? (T) bind(tree, plain)
                : bound(() -> mapper().treeToValue(tree, mapper().constructType(type.type())));
    }

    /** Models receive the message, so it names no Java class; the cause does. */
    private static <T> T bound(Supplier<@Nullable T> reader) {
        T value;
        try {
            value = reader.get();
        } catch (RuntimeException e) { // a deserialiser of the application may throw anything
            throw new InvalidJsonException(cut(MappingFaults.ofFit(e)), e);
        }
        if (value == null) {
            throw new InvalidJsonException("The value must not be null.", null);
        }
        return value;
    }

    /** Cut a sentence that quotes a long value. */
    static String cut(String sentence) {
        return sentence.length() <= LONGEST_SENTENCE ? sentence : sentence.substring(0, LONGEST_SENTENCE) + "…";
    }

    static String canonical(JsonNode tree) {
        return PlainJson.sorted(tree).orElseGet(() -> Loaded.SORTED.writeValueAsString(tree));
    }

    static int depth(JsonNode tree) {
        if (!tree.isContainer()) {
            return 0;
        }
        int deepest = 0;
        for (JsonNode child : tree.values()) {
            deepest = Math.max(deepest, depth(child));
        }
        return deepest + 1;
    }

    private static String position(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? ""
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
