package dev.chargehand.verify.failure;

import dev.chargehand.completion.Score;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the calls of one part, and lets one of them fail. */
final class FaultPoint {

    private static final Duration SLOW = Duration.ofMillis(30);

    private final Part part;
    private final Fault fault;
    private final int nth;
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Make a point.
     *
     * @param nth which call fails, from 1; 0 for none
     */
    FaultPoint(Part part, Fault fault, int nth) {
        this.part = part;
        this.fault = fault;
        this.nth = nth;
    }

    /** Thrown by the call that fails; of an unknown type. */
    static final class PlannedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PlannedException(String message) {
            super(message);
        }
    }

    boolean isWrong() {
        return fault == Fault.WRONG;
    }

    boolean isOf(Part one) {
        return part == one;
    }

    int calls() {
        return calls.get();
    }

    /** Let a hanging call return. */
    void letGo() {
        over.countDown();
    }

    /** Put the point before an interface, if it is one of the part. */
    <T> T before(Part of, Class<T> type, T target) {
        if (of != part) {
            return target;
        }
        return type.cast(Proxy.newProxyInstance(
                FaultPoint.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> invoke(target, method, arguments)));
    }

    private @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        boolean hit = part.counts(method.getName()) && calls.incrementAndGet() == nth;
        if (hit && fault == Fault.THROW) {
            throw new PlannedException("Planned: " + part + " call " + nth);
        }
        if (hit && fault == Fault.HANG) {
            hang(Duration.ofDays(1));
        }
        if (hit && fault == Fault.SLOW) {
            hang(SLOW);
        }
        Object result = call(target, method, arguments);
        if (hit && fault == Fault.THROW_AFTER) {
            throw new PlannedException("Planned: after " + part + " call " + nth);
        }
        return hit && fault == Fault.WRONG ? wrong(method, result) : result;
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static @Nullable Object wrong(Method method, @Nullable Object right) {
        Class<?> type = method.getReturnType();
        if (type == boolean.class) {
            return !Boolean.TRUE.equals(right);
        }
        if (type == long.class) {
            return Long.MIN_VALUE / 4;
        }
        return switch (right) {
            case null -> null;
            case List<?> ignored -> List.of();
            case Optional<?> ignored -> Optional.empty();
            case Instant ignored -> Instant.EPOCH;
            case String ignored -> "";
            case Score ignored -> new Score(Double.NaN, "");
            case ModelResponse answer ->
                new ModelResponse(answer.text(), "", answer.toolCalls(), FinishReason.UNKNOWN, Usage.NONE);
            default -> null;
        };
    }

    private void hang(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                waiting = !over.await(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)
                        && System.nanoTime() < end;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
