package dev.chargehand.internal.fact;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Lists the stored forms of all facts: every field there can be, by its path, with what is in it. */
final class FactForms {

    /** What is stored as one string or number, or as any JSON. */
    private static final Map<Class<?>, String> SCALARS = Map.ofEntries(
            Map.entry(String.class, "string"),
            Map.entry(Instant.class, "time"),
            Map.entry(Duration.class, "duration"),
            Map.entry(BigDecimal.class, "decimal"),
            Map.entry(RunId.class, "string"),
            Map.entry(AgentPath.class, "string"),
            Map.entry(ToolChoice.class, "string"),
            Map.entry(Json.class, "any JSON"),
            Map.entry(JsonSchema.class, "any JSON"),
            Map.entry(Integer.class, "integer"),
            Map.entry(int.class, "integer"),
            Map.entry(long.class, "integer"),
            Map.entry(Long.class, "integer"),
            Map.entry(double.class, "number"),
            Map.entry(Double.class, "number"),
            Map.entry(boolean.class, "boolean"),
            Map.entry(Boolean.class, "boolean"));

    /** What is stored in the form of another record. */
    private static final Map<Class<?>, String> STORED_AS = Map.of(
            Message.class, "dev.chargehand.message.StoredMessage",
            StopReason.class, "dev.chargehand.run.StoredStopReason",
            RequestContext.class, "dev.chargehand.internal.fact.FactCodec$StoredContext");

    private final Set<String> lines = new TreeSet<>();

    private FactForms() {}

    static List<String> all() {
        FactForms forms = new FactForms();
        for (Class<?> fact : Fact.class.getPermittedSubclasses()) {
            forms.record(nameOf(fact) + " v" + FactCodec.versionOf(nameOf(fact)) + " ", fact);
        }
        forms.lines.add("kinds of message parts: " + names(Part.class));
        forms.lines.add("kinds of stop reasons: " + names(StopReason.class));
        return List.copyOf(forms.lines);
    }

    /** Returns the name under which a fact is stored. */
    static String nameOf(Class<?> fact) {
        return fact.getSimpleName().replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static String names(Class<?> closed) {
        return Arrays.stream(closed.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private void record(String path, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            value(path + component.getName(), component.getGenericType());
        }
    }

    private void value(String path, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class || generic.getRawType() == Set.class) {
                value(path + "[]", of[0]);
            } else if (generic.getRawType() == Map.class) {
                String key = of[0] instanceof Class<?> c && c.isEnum() ? constants(c) : "string";
                value(path + "{" + key + "}", of[1]);
            } else if (!((Class<?>) generic.getRawType()).isAnnotationPresent(FunctionalInterface.class)) {
                throw new IllegalStateException("How is " + path + " stored, which is " + type + "?");
            }
            return; // code is not stored
        }
        Class<?> single = (Class<?>) type;
        if (SCALARS.containsKey(single)) {
            lines.add(path + ": " + SCALARS.get(single));
        } else if (single.isEnum()) {
            lines.add(path + ": " + constants(single));
        } else {
            record(path + ".", STORED_AS.containsKey(single) ? named(STORED_AS.get(single)) : single);
        }
    }

    private static String constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(Object::toString)
                .sorted()
                .collect(Collectors.joining("|"));
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("What is stored in the form of " + name + "?", e);
        }
    }
}
