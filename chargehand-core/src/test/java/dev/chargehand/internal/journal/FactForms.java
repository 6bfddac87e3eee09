package dev.chargehand.internal.journal;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.stored.FactForm;
import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.run.StopReason;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
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
            Map.entry(Json.class, "any JSON"),
            Map.entry(Integer.class, "integer"),
            Map.entry(int.class, "integer"),
            Map.entry(long.class, "integer"),
            Map.entry(Long.class, "integer"),
            Map.entry(double.class, "number"),
            Map.entry(Double.class, "number"),
            Map.entry(boolean.class, "boolean"),
            Map.entry(Boolean.class, "boolean"));

    /** Facts that were renamed are stored under their former names. */
    private static final Map<Class<?>, String> FORMER_NAMES = Map.of(Fact.ExecutionStarted.class, "begun");

    private final Set<String> lines = new TreeSet<>();

    private FactForms() {}

    static List<String> all() {
        FactForms forms = new FactForms();
        for (FactForm form : FactForm.values()) {
            forms.keys(form.key() + " v" + form.version() + " ", form.type());
        }
        forms.lines.add("kinds of message parts: " + names(Part.class));
        forms.lines.add("kinds of stop reasons: " + names(StopReason.class));
        return List.copyOf(forms.lines);
    }

    /** Returns the name under which a fact is stored. */
    static String nameOf(Class<?> fact) {
        String own = fact.getSimpleName().replaceAll("(?<=.)([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return FORMER_NAMES.getOrDefault(fact, own);
    }

    private static String names(Class<?> closed) {
        return Arrays.stream(closed.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private void keys(String path, Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                value(path + keyOf(field), field.getGenericType());
            }
        }
    }

    private static String keyOf(Field field) {
        JsonProperty key = field.getAnnotation(JsonProperty.class);
        if (key == null || key.value().isEmpty()) {
            throw new IllegalStateException("Under which key is " + field + " stored?");
        }
        return key.value();
    }

    private void value(String path, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class || generic.getRawType() == Set.class) {
                value(path + "[]", of[0]);
            } else if (generic.getRawType() == Map.class) {
                String key = of[0] instanceof Class<?> c && c.isEnum() ? constants(c) : "string";
                value(path + "{" + key + "}", of[1]);
            } else {
                throw new IllegalStateException("How is " + path + " stored, which is " + type + "?");
            }
            return;
        }
        Class<?> single = (Class<?>) type;
        if (SCALARS.containsKey(single)) {
            lines.add(path + ": " + SCALARS.get(single));
        } else if (single.isEnum()) {
            lines.add(path + ": " + constants(single));
        } else {
            keys(path + ".", single);
        }
    }

    private static String constants(Class<?> type) {
        return ConstantNames.of(type).stream().sorted().collect(Collectors.joining("|"));
    }
}
