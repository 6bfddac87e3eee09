package dev.chargehand.clients.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.openai.core.ObjectMappers;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs scenarios one after the other and reports each on a line of its own, as those for Node do. */
final class Scenarios {

    private static final long TIME_LIMIT = 30;

    private final Map<String, Runnable> scenarios = new LinkedHashMap<>();

    /** Add a scenario, which throws what is wrong. */
    Scenarios add(String name, Runnable scenario) {
        scenarios.put(name, scenario);
        return this;
    }

    /** Run them all and end the process. */
    void run() throws InterruptedException {
        for (Map.Entry<String, Runnable> each : scenarios.entrySet()) {
            Map<String, @Nullable String> report = new LinkedHashMap<>();
            report.put("scenario", each.getKey());
            report.put("error", error(each.getValue()));
            System.out.println(text(report));
        }
        System.exit(0);
    }

    private static @Nullable String error(Runnable scenario) throws InterruptedException {
        try {
            var unused = CompletableFuture.runAsync(scenario).get(TIME_LIMIT, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            StringWriter trace = new StringWriter();
            Objects.requireNonNullElse(e.getCause(), e).printStackTrace(new PrintWriter(trace));
            return trace.toString();
        } catch (TimeoutException e) {
            return "not done after " + TIME_LIMIT + " s";
        }
    }

    private static String text(Object value) {
        try {
            return ObjectMappers.jsonMapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Wait between two looks at a run. */
    static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }

    /** Require that a value is as expected. */
    static void same(@Nullable Object value, @Nullable Object expected) {
        check(Objects.equals(value, expected), value + " instead of " + expected);
    }

    /** Require that a condition holds. */
    static void check(boolean condition, Object otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    /** Run what must be rejected, and return how. */
    static <T extends RuntimeException> T thrown(Class<T> type, Runnable request) {
        try {
            request.run();
        } catch (RuntimeException e) {
            if (type.isInstance(e)) {
                return type.cast(e);
            }
            throw e;
        }
        throw new AssertionError("no " + type.getSimpleName());
    }
}
