package dev.chargehand.verify.streams;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what is null in a record and must not be: JSON mapping leaves what is missing as null. */
final class MissingParts {

    private MissingParts() {}

    /** Return the names of the parts, from the outermost record on. */
    static List<String> of(Record value) {
        List<String> missing = new ArrayList<>();
        look(value.getClass().getSimpleName(), value, missing);
        return missing;
    }

    private static void look(String name, @Nullable Object value, List<String> missing) {
        switch (value) {
            case Record record -> {
                if (isOurs(record)) {
                    parts(name, record, missing);
                }
            }
            case Collection<?> elements -> elements.forEach(element -> look(name + "[]", element, missing));
            case Map<?, ?> entries -> entries.values().forEach(element -> look(name + "{}", element, missing));
            case null -> missing.add(name);
            default -> {}
        }
    }

    private static boolean isOurs(Record record) {
        return record.getClass().getName().startsWith("dev.chargehand.");
    }

    private static void parts(String name, Record record, List<String> missing) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object part = part(record, component);
            if (part != null || !isNullable(component)) {
                look(name + "." + component.getName(), part, missing);
            }
        }
    }

    private static boolean isNullable(RecordComponent component) {
        return Arrays.stream(component.getAnnotatedType().getAnnotations())
                .anyMatch(annotation -> annotation.annotationType() == Nullable.class);
    }

    private static @Nullable Object part(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot look into " + record.getClass(), e);
        }
    }
}
