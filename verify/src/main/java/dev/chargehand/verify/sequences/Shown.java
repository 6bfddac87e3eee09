package dev.chargehand.verify.sequences;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes any value of the API as text, with all that its accessors return, so that nothing that differs is overlooked. Times that
 * pass outside of the sequence, and names of processes, are left out.
 */
final class Shown {

    /** Accessors that wait, that return the value itself, or whose value names a process. */
    private static final Set<String> LEFT_OUT = Set.of(
            "hashCode",
            "toString",
            "getClass",
            "notify",
            "notifyAll",
            "wait",
            "owner#RunRecord",
            "epoch#RunRecord",
            "tree",
            "isRoot",
            "objectSchema",
            "withoutFirstWords",
            "untitled",
            "close");

    private Shown() {}

    /**
     * Return a line of a trace without what differs with the process and with the time it takes, and without the names of the thread and the
     * run that keep a resource from being forgotten: of several, each store names another one.
     */
    static String comparable(String line) {
        return line.replaceAll("\"delayMillis\":\\d+", "\"delayMillis\":*")
                .replaceAll("\"dueAt\":\"[^\"]*\"", "\"dueAt\":*")
                .replaceAll("\"owner\":\"[^\"]*\"", "\"owner\":\"*\"")
                .replaceAll(
                        "(Thread '[^']*'|The resource) is not deleted, because its run \\w+",
                        "* is not deleted, because its run *")
                .replaceAll("T\\d\\d:\\d\\d:\\d\\d\\.\\d+Z", "T~Z");
    }

    static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Optional<?> optional -> optional.map(Shown::of).orElse("-");
            case Json json -> json.text();
            case RunId id -> id.value();
            case RunEvent event -> event.toJson().text();
            case Message message -> message.toJson().text();
            case Map<?, ?> map ->
                sorted(map.entrySet().stream().map(each -> of(each.getKey()) + "=" + of(each.getValue())));
            case Set<?> set -> sorted(set.stream().map(Shown::of));
            case Collection<?> list -> list.stream().map(Shown::of).collect(Collectors.joining(",\n  ", "[", "]"));
            case Throwable thrown -> error(thrown);
            default -> other(value);
        };
    }

    private static String sorted(Stream<String> parts) {
        return parts.sorted().collect(Collectors.joining(", ", "{", "}"));
    }

    private static String other(Object value) {
        Class<?> type = value instanceof RunResult ? RunResult.class : value.getClass();
        boolean isOurs = type.getName().startsWith("dev.chargehand") && !type.isEnum();
        return isOurs ? type.getSimpleName() + accessors(type, value) : value.toString();
    }

    private static String accessors(Class<?> type, Object value) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() != void.class
                        && method.getReturnType() != type
                        && method.getDeclaringClass() != Object.class)
                .filter(method -> !LEFT_OUT.contains(method.getName())
                        && !LEFT_OUT.contains(method.getName() + "#" + type.getSimpleName()))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> method.getName() + "=" + call(method, value))
                .collect(Collectors.joining(" ", "{", "}"));
    }

    private static String call(Method method, Object value) {
        try {
            method.setAccessible(true);
            return of(method.invoke(value));
        } catch (InvocationTargetException e) {
            return error(Objects.requireNonNull(e.getCause()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Return the type, the codes and the words of an error. */
    static String error(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.getClass().getSimpleName());
        if (thrown instanceof ChargehandException ours) {
            text.append('/').append(ours.code()).append('/').append(ours.retryable());
        }
        if (thrown instanceof RunFailedException failed) {
            text.append(" result=").append(of(failed.result()));
        }
        return text.append(": ").append(thrown.getMessage()).toString();
    }

    /** Return the lines of a list, one value each. */
    static List<String> each(Collection<?> values) {
        return values.stream().map(Shown::of).toList();
    }
}
