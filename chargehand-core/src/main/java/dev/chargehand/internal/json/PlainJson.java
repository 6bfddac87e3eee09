package dev.chargehand.internal.json;

import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.io.SegmentedStringWriter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.core.util.RecyclerPool;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes plain JSON: trees, and values of the JDK that have one form only. The mapping of the JSON library
 * would give the same, but takes longer to load than the rest of a short program; what is not plain here is left to it, and
 * so is every fault, which it describes. Thread-safe.
 */
public final class PlainJson {

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final RecyclerPool<BufferRecycler> BUFFERS = JsonRecyclerPools.defaultPool();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Module JDK = Object.class.getModule();

    /** A number with a point and so many characters has at most 15 digits, which a double keeps. */
    private static final int SURE = 16;

    /** As large as a number that is written in digits may be. */
    private static final int LARGEST_EXPONENT = 1_000;

    private PlainJson() {}

    /** Return what reads the tokens of a text. */
    public static JsonParser parser(String text) {
        return FACTORY.createParser(ObjectReadContext.empty(), text);
    }

    /** Return what writes tokens. */
    public static JsonGenerator generator(Writer to) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), to);
    }

    /** Return the tree of a text; nothing if it is not one plain value. */
    public static Optional<JsonNode> read(String text) {
        try (JsonParser from = parser(text)) {
            JsonNode tree = tree(from.nextToken(), from);
            return tree == null || from.nextToken() != null ? Optional.empty() : Optional.of(tree);
        } catch (JacksonException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static @Nullable JsonNode tree(@Nullable JsonToken token, JsonParser from) {
        if (token == null) {
            return null;
        }
        return switch (token) {
            case START_OBJECT -> object(from);
            case START_ARRAY -> array(from);
            case VALUE_STRING -> NODES.stringNode(from.getString());
            case VALUE_NUMBER_INT -> wholeNumber(from);
            case VALUE_NUMBER_FLOAT -> fraction(from);
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> null;
        };
    }

    private static JsonNode wholeNumber(JsonParser from) {
        return switch (from.getNumberType()) {
            case INT -> NODES.numberNode(from.getIntValue());
            case LONG -> NODES.numberNode(from.getLongValue());
            default -> NODES.numberNode(from.getBigIntegerValue());
        };
    }

    /** A number that a double would change is kept as it is: an amount may have more digits than a double has. */
    private static @Nullable JsonNode fraction(JsonParser from) {
        double near = from.getDoubleValue();
        double size = Math.abs(near);
        if (from.getStringLength() <= SURE && size >= Double.MIN_NORMAL && size <= Double.MAX_VALUE) {
            return NODES.numberNode(near);
        }
        BigDecimal exact = from.getDecimalValue();
        boolean isDouble = Double.isFinite(near) && new BigDecimal(Double.toString(near)).compareTo(exact) == 0;
        return isDouble
                ? NODES.numberNode(near)
                : isBounded(exact) ? NODES.numberNode(exact.stripTrailingZeros()) : null;
    }

    /** Return whether a number may be in a tree: the sum of 1 and 1e999999999 would have a billion digits. */
    public static boolean isBounded(BigDecimal number) {
        return number.signum() == 0 || Math.abs((long) number.precision() - number.scale()) <= LARGEST_EXPONENT;
    }

    private static @Nullable JsonNode object(JsonParser from) {
        ObjectNode object = NODES.objectNode();
        for (String name = from.nextName(); name != null; name = from.nextName()) {
            JsonNode value = tree(from.nextToken(), from);
            if (value == null || object.replace(name, value) != null) {
                return null; // a name that occurs twice is a fault
            }
        }
        return object;
    }

    private static @Nullable JsonNode array(JsonParser from) {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken next = from.nextToken(); next != JsonToken.END_ARRAY; next = from.nextToken()) {
            JsonNode value = tree(next, from);
            if (value == null) {
                return null;
            }
            array.add(value);
        }
        return array;
    }

    /** Return the JSON of the value whose first token a parser has read, with its numbers as they are written there. */
    public static String copied(JsonParser from) {
        StringWriter to = new StringWriter();
        try (JsonGenerator generator = generator(to)) {
            int open = 0;
            JsonToken token = from.currentToken();
            do {
                open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token.isNumeric()) {
                    generator.writeNumber(from.getString());
                } else {
                    generator.copyCurrentEvent(from);
                }
            } while (open > 0 && (token = from.nextToken()) != null);
        }
        return to.toString();
    }

    /**
     * Return a value as JSON; nothing if it is not plain.
     *
     * @param raw returns the JSON of a value that has it as text, and null for any other
     */
    public static Optional<String> written(@Nullable Object value, Function<Object, @Nullable String> raw) {
        return text(new Output(raw, false), value);
    }

    /** Return a tree with the keys of every object in order; nothing if it is not plain. */
    public static Optional<String> sorted(JsonNode tree) {
        return text(new Output(value -> null, true), tree);
    }

    private static Optional<String> text(Output output, @Nullable Object value) {
        BufferRecycler buffers = BUFFERS.acquireAndLinkPooled();
        try (SegmentedStringWriter to = new SegmentedStringWriter(buffers)) {
            return output.writes(value, to) ? Optional.of(to.getAndClear()) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        } finally {
            buffers.releaseToPool();
        }
    }

    /**
     * Write a value as JSON, and return whether it is plain; if it is not, only a part of it was written.
     *
     * @param raw as for {@link #written}
     * @throws JacksonException if the writer failed, or the value is nested too deeply
     */
    public static boolean writes(@Nullable Object value, Function<Object, @Nullable String> raw, Writer to) {
        return new Output(raw, false).writes(value, to);
    }

    /**
     * Writes values.
     *
     * @param raw as for {@link #written}
     * @param sorts whether the keys of trees are written in order
     */
    private record Output(Function<Object, @Nullable String> raw, boolean sorts) {

        private boolean writes(@Nullable Object value, Writer to) {
            try (JsonGenerator generator = generator(to)) {
                return writes(value, generator);
            }
        }

        private boolean writes(@Nullable Object value, JsonGenerator to) {
            if (value == null) {
                to.writeNull();
            } else if (value instanceof String text) {
                to.writeString(text);
            } else if (value instanceof JsonNode tree) {
                return writesTree(tree, to);
            } else if (value instanceof Boolean truth) {
                to.writeBoolean(truth);
            } else if (value instanceof Number number) {
                return writesNumber(number, to);
            } else if (value instanceof Map<?, ?> map && isOfJdk(map)) {
                return writesFields(map.entrySet(), to);
            } else if (value instanceof Collection<?> values && isOfJdk(values)) {
                return writesAll(values, to);
            } else {
                return writesRaw(value, to);
            }
            return true;
        }

        private static boolean isOfJdk(Object value) {
            return value.getClass().getModule().equals(JDK);
        }

        private boolean writesRaw(Object value, JsonGenerator to) {
            String json = raw.apply(value);
            if (json != null) {
                to.writeRawValue(json);
            }
            return json != null;
        }

        private static boolean writesNumber(Number value, JsonGenerator to) {
            if (value instanceof Integer number) {
                to.writeNumber(number);
            } else if (value instanceof Long number) {
                to.writeNumber(number);
            } else if (value instanceof Double number && Double.isFinite(number)) {
                to.writeNumber(number);
            } else if (value instanceof BigInteger number) {
                to.writeNumber(number);
            } else if (value instanceof BigDecimal number) {
                to.writeNumber(number);
            } else {
                return false;
            }
            return true;
        }

        private boolean writesFields(Collection<? extends Map.Entry<?, ?>> fields, JsonGenerator to) {
            to.writeStartObject();
            for (Map.Entry<?, ?> field : fields) {
                if (!(field.getKey() instanceof String name)) {
                    return false;
                }
                to.writeName(name);
                if (!writes(field.getValue(), to)) {
                    return false;
                }
            }
            to.writeEndObject();
            return true;
        }

        private boolean writesAll(Collection<?> values, JsonGenerator to) {
            to.writeStartArray();
            for (Object value : values) {
                if (!writes(value, to)) {
                    return false;
                }
            }
            to.writeEndArray();
            return true;
        }

        private boolean writesTree(JsonNode tree, JsonGenerator to) {
            return switch (tree.getNodeType()) {
                case OBJECT -> writesFields(fields(tree), to);
                case ARRAY -> writesAll(tree.values(), to);
                case STRING -> writes(tree.stringValue(), to);
                case BOOLEAN -> writes(tree.booleanValue(), to);
                case NUMBER -> writesNumber(tree, to);
                case NULL -> writes(null, to);
                default -> false;
            };
        }

        private Collection<Map.Entry<String, JsonNode>> fields(JsonNode object) {
            if (!sorts) {
                return object.properties();
            }
            List<Map.Entry<String, JsonNode>> sorted = new ArrayList<>(object.properties());
            sorted.sort(Map.Entry.comparingByKey());
            return sorted;
        }

        private static boolean writesNumber(JsonNode number, JsonGenerator to) {
            return switch (number.numberType()) {
                case INT, LONG, BIG_INTEGER, DOUBLE, BIG_DECIMAL -> writesNumber(number.numberValue(), to);
                default -> false;
            };
        }
    }
}
